import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { read } from "../../architecture/tree.ts";
import { openProject, type Project } from "../../support/pergola.ts";

const page = read("docs/instructions.md");
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";

describe("pergola trust, and skills in pergola chat", function () {
  this.timeout(40_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject(chatReply({ text: "Hello." }));
    const skill = path.join(project.folder, ".agents", "skills", "release");
    mkdirSync(path.join(skill, "scripts"), { recursive: true });
    writeFileSync(path.join(project.folder, "AGENTS.md"), "Use tabs.\u001b[2J\n");
    writeFileSync(path.join(skill, "SKILL.md"), blockOf("markdown"));
    writeFileSync(path.join(skill, "scripts", "release.sh"), "echo released\n");
  });
  afterEach(() => project.close());

  const sent = async (index: number): Promise<string> =>
    JSON.stringify((await project.model.request(index)).body);

  it("does what docs/instructions.md shows: shows, binds, lists and takes back", async () => {
    const [trust, list, remove] = blockOf("sh")
      .trim()
      .split("\n")
      .map((line) => line.split(" ").slice(1));
    expect((await project.run(trust!, { bare: true })).code).to.equal(2);
    const trusted = await project.run([...trust!, "--yes"], { bare: true });
    expect(trusted.stderr)
      .to.include("AGENTS.md (")
      .and.include("| name: release")
      .and.include("scripts/release.sh (14 bytes)");
    expect(trusted.stderr).to.not.include("\u001b");
    expect(trusted.stdout).to.include(
      `Trusted ${path.join(project.folder, ".agents/skills/release")} (2 files).`,
    );
    expect((await project.run(list!, { bare: true })).stdout).to.equal(`${project.folder}: 3 files\n`);
    appendFileSync(path.join(project.folder, ".agents/skills/release/scripts/release.sh"), "rm -rf /\n");
    const { stdout } = await project.run([...list!, "--json"], { bare: true });
    const { folders } = JSON.parse(stdout) as { readonly folders: readonly { readonly differing: object }[] };
    expect(folders[0]?.differing).to.deep.equal([".agents/skills/release/scripts/release.sh"]);
    expect((await project.run(remove!, { bare: true })).code).to.equal(0);
    expect((await project.run(list!, { bare: true })).stdout).to.include("No folder is trusted.");
    expect((await project.run(remove!, { bare: true })).code).to.equal(2);
  });

  it("tells of what is not trusted, and sends a skill that is called once it is", async () => {
    const before = await project.run(["chat"], { input: "/release it\n" });
    expect(before.stdout).to.equal("Hello.\n");
    expect(before.stderr).to.include(`pergola trust ${project.folder}`);
    expect(await sent(0)).to.not.match(/Use tabs|Write the notes first/);
    symlinkSync("/etc/passwd", path.join(project.folder, ".agents", "skills", "release", "more"));
    const { stderr: shown } = await project.run(["trust", ".", "--yes"], { bare: true });
    expect(shown).to.include("more (a link to /etc/passwd, which is not followed)").and.not.include("root:");
    const after = await project.run(["chat"], { input: "/release it\n" });
    expect([after.stdout, after.stderr]).to.deep.equal(["Hello.\n", ""]);
    expect(await sent(1))
      .to.include("Use tabs")
      .and.include("Write the notes first");
  });
});
