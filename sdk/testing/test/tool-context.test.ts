import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { ToolError, defineOperation } from "@pergola/sdk";
import { runOperation, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { PlainFiles } from "../plain-files.ts";

interface Note {
  readonly id: string;
  readonly scope: string;
  readonly rank: number | null;
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("toolContext", () => {
  it("keeps one collection per name, also in a copy with another scope", async () => {
    const context = toolContext();
    await context.collection<Note>("notes").put({ id: "1", scope: "c1", rank: 1 });
    const copy = { ...context, scope: "c2" };
    expect(await copy.collection<Note>("notes").get("1")).to.deep.equal({
      id: "1",
      scope: "c1",
      rank: 1,
      version: 1,
    });
    expect(await toolContext().collection<Note>("notes").count({})).to.equal(0);
  });

  it("finds by filter, in order, page by page", async () => {
    const notes = toolContext().collection<Note>("notes");
    for (const rank of [3, 1, null, 2])
      await notes.put({ id: `n${String(rank)}`, scope: rank === 2 ? "b" : "a", rank });
    const first = await notes.find({ scope: "a" }, { order: "-rank", limit: 2 });
    expect(first.map(({ id }) => id)).to.deep.equal(["n3", "n1"]);
    expect(
      (await notes.find({ scope: "a" }, { order: "-rank", after: first[1]! })).map(({ id }) => id),
    ).to.deep.equal(["nnull"]);
    expect((await notes.find({ rank: { gte: 2, lt: 3 } })).map(({ id }) => id)).to.deep.equal(["n2"]);
    expect(await notes.count({ id: { in: ["n1", "n2", "x"] } })).to.equal(2);
  });

  it("hands out copies, so that a changed record is not stored by accident", async () => {
    const notes = toolContext().collection<{ id: string; tags: string[] }>("notes");
    await notes.put({ id: "1", tags: [] });
    (await notes.get("1"))?.tags.push("x");
    expect((await notes.get("1"))?.tags).to.deep.equal([]);
  });

  it("searches words and vectors of the asked scopes", async () => {
    const index = toolContext().search("memories");
    const fields = { text: "the cat sat" };
    await index.index([
      { id: "a", scope: "c1", fields, vector: Float32Array.of(0, 1) },
      { id: "b", scope: "c1", fields: { text: "dogs" }, vector: Float32Array.of(1, 0) },
      { id: "c", scope: "c2", fields },
    ]);
    expect(
      (await index.query({ scopes: ["c1"], text: "Cat", limit: 5 })).map(({ id, textRank }) => [
        id,
        textRank,
      ]),
    ).to.deep.equal([["a", 1]]);
    const near = await index.query({ scopes: ["c1"], vector: Float32Array.of(1, 0), limit: 5 });
    expect(near.map(({ id, similarity }) => [id, similarity])).to.deep.equal([["b", 1]]);
    await index.removeScope("c1");
    expect(await index.query({ scopes: ["c1", "c2"], text: "cat dogs", limit: 5 })).to.have.length(1);
  });

  it("records what the operation did, and lets the test move the clock", async () => {
    const context = toolContext({ answers: [true] });
    const before = context.clock.now();
    context.clock.advance(1500);
    context.progress("half way");
    context.log.warn({ n: 1 }, "odd");
    await context.ask({ prompt: "Go on?" });
    expect(context.clock.now() - before).to.equal(1500);
    expect(context.progressed).to.deep.equal(["half way"]);
    expect(context.logged).to.deep.equal([{ level: "warn", fields: { n: 1 }, message: "odd" }]);
    expect(context.questions).to.deep.equal([{ prompt: "Go on?" }]);
    expect(await failure(context.ask({ prompt: "Again?" })))
      .to.be.instanceOf(Error)
      .with.property("message")
      .that.includes("Again?");
  });

  it("reaches files below its own new working directory", async () => {
    const { files, workingDirectory } = toolContext();
    expect(await files.write("a/b.txt", "hello")).to.deep.equal({ bytes: 5, created: true });
    expect(await files.readText(path.join(workingDirectory, "a/b.txt"))).to.equal("hello");
    expect((await files.stat("a"))?.kind).to.equal("directory");
  });
});

describe("PlainFiles", () => {
  const codeOf = async (work: Promise<unknown>): Promise<string> => ((await failure(work)) as ToolError).code;

  it("refuses what lies outside, by name and by link", async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    await new PlainFiles(outside).write("secret.txt", "s");
    await symlink(outside, path.join(folder, "link"));
    const files = new PlainFiles(folder);
    expect(await codeOf(files.readText("../x"))).to.equal("path_escape");
    expect(await codeOf(files.readText(path.join(outside, "secret.txt")))).to.equal("permission_denied");
    expect(await codeOf(files.readText("link/secret.txt"))).to.equal("permission_denied");
    expect(await codeOf(files.write("link/new.txt", "x"))).to.equal("permission_denied");
    expect((await files.resolve("link/secret.txt")).place).to.equal("outside");
    expect(await new PlainFiles(folder, [outside]).readText("link/secret.txt")).to.equal("s");
  });

  it("removes a link itself, not what it leads to", async () => {
    const folder = temporaryFolder();
    const files = new PlainFiles(folder);
    await files.write("real.txt", "x");
    await symlink("real.txt", path.join(folder, "link.txt"));
    expect((await files.stat("link.txt"))?.kind).to.equal("link");
    await files.remove("link.txt");
    expect((await files.list(".")).map(({ name }) => name)).to.deep.equal(["real.txt"]);
  });

  it("never overwrites by rename or by create, and writes nothing when one change of several is wrong", async () => {
    const files = new PlainFiles(temporaryFolder());
    await files.writeAll([
      { path: "a", content: "1" },
      { path: "b", content: "2" },
    ]);
    expect(await codeOf(files.rename("a", "b"))).to.equal("conflict");
    expect(await codeOf(files.write("a", "x", { create: true }))).to.equal("conflict");
    expect(await codeOf(files.writeAll([{ path: "a", content: "changed" }, { path: "none" }]))).to.equal(
      "file_not_found",
    );
    expect(await files.readText("a")).to.equal("1");
    expect(Buffer.from(await files.read("b", { start: 0, end: 9 })).toString()).to.equal("2");
  });
});

describe("runOperation", () => {
  const repeat = defineOperation({
    name: "repeat",
    description: "Says a word several times.",
    effect: "none",
    parameters: { word: { type: "string" }, times: { type: "integer", default: 2 } },
    required: ["word"],
    run: async (args) => ({ data: args.word.repeat(args.times), fields: { given: Object.keys(args) } }),
  });

  it("fills in defaults and leaves unknown arguments out", async () => {
    expect(await runOperation(repeat, { word: "a", other: 1 }, toolContext())).to.deep.equal({
      data: "aa",
      fields: { given: ["word", "times"] },
    });
  });

  it("refuses a missing and a badly typed argument", async () => {
    expect(await failure(runOperation(repeat, {}, toolContext())))
      .to.be.instanceOf(ToolError)
      .with.property("code", "missing_required");
    expect(await failure(runOperation(repeat, { word: "a", times: "3" }, toolContext()))).to.have.property(
      "code",
      "invalid_value",
    );
  });
});
