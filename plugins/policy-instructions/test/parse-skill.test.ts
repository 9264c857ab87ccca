import { expect } from "chai";
import { parseSkill } from "../parse-skill.ts";

const skill = (head: string, body = "Do it."): string => `---\n${head}\n---\n${body}\n`;

describe("a SKILL.md", () => {
  const parsed = (text: string, folder = "release") => parseSkill(text, folder);

  it("has a name, a description and a body; keys that nobody knows are no matter", async () => {
    const head =
      "name: release\nversion: 2.9.0\ndescription: Release it — covers notes, tags.\nmetadata:\n  a: b";
    expect(await parsed(`\ufeff${skill(head).replaceAll("\n", "\r\n")}`)).to.deep.equal({
      name: "release",
      description: "Release it — covers notes, tags.",
      isListed: true,
      body: "Do it.",
      complaints: [],
    });
  });

  it("may have a description with a colon and no quotes, and one over several lines", async () => {
    expect(await parsed(skill("name: release\ndescription: Use this when: it is time."))).to.include({
      description: "Use this when: it is time.",
    });
    expect(await parsed(skill("name: release\ndescription: >\n  Use it\n  now."))).to.include({
      description: "Use it now.",
    });
  });

  it("is kept from models where it says so, and grants itself no tools", async () => {
    const head = "name: release\ndescription: x\ndisable-model-invocation: true\nallowed-tools: Bash";
    const found = await parsed(skill(head));
    expect(found).to.have.property("isListed", false);
    expect(found).to.not.have.property("allowedTools");
  });

  for (const [what, text, fault] of [
    ["no head", "# Release", "YAML"],
    ["no description", skill("name: release"), "no description"],
    ["an empty description", skill("name: release\ndescription: ' '"), "no description"],
    ["unreadable YAML", skill("name: [\ndescription: x"), "cannot be read"],
    ["a list in its head", skill("- a"), "no keys"],
  ] as const)
    it(`is none with ${what}`, async () => {
      expect(await parsed(text))
        .to.have.property("fault")
        .that.includes(fault);
    });

  for (const [name, folder, taken, complaint] of [
    ["release", "other", "release", "its folder is called other"],
    ["Release It", "release", "release", "small letters"],
    ["-a", "release", "release", "small letters"],
    ["a--b", "release", "release", "small letters"],
    ["a".repeat(65), "a".repeat(65), "a".repeat(65), "more than 64"],
  ] as const)
    it(`called ${name.slice(0, 12)} in ${folder.slice(0, 12)} is taken, and complained of`, async () => {
      const found = await parsed(skill(`name: "${name}"\ndescription: x`), folder);
      expect(found).to.have.property("name", taken);
      expect(found)
        .to.have.property("complaints")
        .that.satisfies((all: string[]) => all[0]?.includes(complaint));
    });

  it("whose folder has no good name either is none", async () => {
    expect(await parsed(skill("name: A B\ndescription: x"), "C D")).to.have.property("fault");
  });

  it("has at most 1,024 characters of description", async () => {
    const found = await parsed(skill(`name: release\ndescription: ${"x".repeat(1100)}`));
    expect(found).to.have.property("description").with.lengthOf(1024);
  });
});
