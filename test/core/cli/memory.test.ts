import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

interface Listed {
  readonly memories: readonly {
    readonly id: string;
    readonly content: string;
    readonly similarity?: number;
  }[];
  readonly count: number;
}

describe("pergola memory", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
    project.settings({ "memory.embedding_model": "" });
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());

  const memory = (...words: readonly string[]) => project.run(["memory", ...words]);
  const listed = async (...words: readonly string[]) =>
    JSON.parse((await memory(...words, "--json")).stdout) as Listed;
  const store = (content: string) =>
    project.run(["tools", "call", "store_memory", `content=${content}`, "--yes"]);

  it("says that nothing is remembered, and lists what is: newest first, a line each, control characters visible", async () => {
    const empty = await memory("list");
    expect([empty.code, empty.stdout, empty.stderr]).to.deep.equal([0, "", "Nothing is remembered.\n"]);
    await store("The key is under\nthe mat");
    await store("The bicycle is \u001b[1mred");
    const { code, stdout } = await memory("list");
    expect(code).to.equal(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).to.match(/^[0-9a-f-]{36} \(\d{4}-\d\d-\d\d, fact, user\) The bicycle is ␛\[1mred$/);
    expect(lines[1]).to.match(/The key is under the mat$/);
    expect((await memory("list", "--limit", "1")).stderr).to.equal("1 more. Show them with --limit 2.\n");
    expect((await memory("list", "--kind", "pattern")).stdout).to.equal("");
  });

  it("searches, shows, edits and forgets", async () => {
    const [found] = (await listed("search", "key", "mat")).memories;
    expect([found?.content, found?.similarity]).to.deep.equal(["The key is under\nthe mat", 1]);
    const id = found?.id ?? "";
    const edited = await memory(
      "edit",
      id,
      "The key is",
      "in the drawer",
      "--tags",
      "house, keys",
      "--importance",
      "0.9",
      "--type",
      "task",
    );
    expect(edited.stdout).to.match(/task, user\) The key is in the drawer\n$/);
    const shown = JSON.parse((await memory("show", id, "--json")).stdout) as object;
    expect(shown).to.deep.include({
      content: "The key is in the drawer",
      tags: ["house", "keys"],
      importance: 0.9,
      contentType: "task",
    });
    expect((await memory("show", id)).stdout).to.match(
      /^id: .*\n[^]*\ntags: \["house","keys"\]\n[^]*\nThe key is in the drawer\n$/,
    );
    expect((await listed("list", "--tag", "keys")).count).to.equal(1);
    const gone = await memory("forget", id);
    expect([gone.code, gone.stderr]).to.deep.equal([0, `Forgotten: ${id}\n`]);
    expect((await memory("search", "drawer")).stderr).to.equal("Nothing was found.\n");
    const again = await memory("forget", id);
    expect([again.code, again.stderr.includes(`no memory "${id}"`)]).to.deep.equal([2, true]);
  });

  for (const words of [
    ["edit"],
    ["search"],
    ["forget"],
    ["edit", "x", "--importance", "2"],
    ["list", "--kind", "nothing"],
  ])
    it(`ends with 2 for: ${words.join(" ")}`, async () => {
      const { code, stdout, stderr } = await memory(...words);
      expect([code, stdout, stderr.trim() === ""]).to.deep.equal([2, "", false]);
    });
});
