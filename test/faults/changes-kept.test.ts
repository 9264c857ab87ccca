import { existsSync } from "node:fs";
import { AppError } from "@pergola/sdk";
import { expect } from "chai";
import { KeptChanges } from "../support/kept-changes.ts";
import { eventually } from "../support/lab-stage.ts";

const full = (): never => {
  throw new AppError({ code: "storage_unavailable", message: "The disk is full." });
};
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined).catch((error: unknown) => error);

describe("what is kept of changed files", () => {
  let kept: KeptChanges;
  const open = (values = {}): KeptChanges => (kept = new KeptChanges(values));
  afterEach(() => kept.stop());

  it("is each content once, until nobody needs it", async () => {
    const { files, put, blobs } = open();
    await kept.restart();
    for (const name of ["a", "b"]) put(name, "same");
    await files({ conversationId: "one" }).write("a", "1");
    await files({ conversationId: "two", lineage: ["run_z"] }).write("b", "1");
    expect([...blobs.values()]).to.deep.equal([4]);
    await kept.forget("one");
    expect((await kept.list()).count).to.equal(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(blobs.size).to.equal(1);
    await kept.forget("two");
    await eventually(() => (blobs.size === 0 ? true : undefined));
  });

  it("goes after changes.retention_days, and the oldest goes beyond changes.max_total_bytes", async () => {
    const { files, put, blobs } = open();
    for (const name of ["a", "b"]) put(name, name.repeat(600));
    await files().write("a", "1");
    kept.now += 20 * 86_400_000;
    await files().write("b", "1");
    kept.now += 11 * 86_400_000;
    await kept.restart();
    const left = await eventually(async () => ((await kept.list()).count === 1 ? kept.list() : undefined));
    expect(left.items[0]?.path).to.equal(kept.at("b"));
    await eventually(() => (blobs.size === 1 ? true : undefined));
    kept.stop();
    const small = open({ "changes.max_total_bytes": 1000 });
    for (const name of ["a", "b"]) small.put(name, name.repeat(600));
    for (const name of ["a", "b"]) await small.files().write(name, "1");
    await kept.restart();
    await eventually(() => (small.blobs.size === 1 ? true : undefined));
    expect((await kept.revert()).reverted.map(({ path }) => path)).to.deep.equal([kept.at("b")]);
  });

  for (const [what, breaks] of [
    ["the record", { commit: full }],
    ["the content", { put: full }],
  ] as const)
    it(`changes nothing when ${what} cannot be stored`, async () => {
      const { files, put, text } = open();
      put("a", "old");
      kept.before = breaks;
      expect(await failure(files().write("a", "new"))).to.include({ code: "storage_unavailable" });
      expect(await failure(files().remove("a"))).to.include({ code: "storage_unavailable" });
      expect(text("a")).to.equal("old");
      kept.before = {};
      expect((await kept.list()).items).to.deep.equal([]);
    });

  it("tells what happened when only the end could not be recorded", async () => {
    const { files, put, text } = open();
    put("a", "old");
    let commits = 0;
    kept.before = { commit: () => (++commits > 1 ? full() : undefined) };
    await files().write("a", "new");
    await files({ callId: "call_2" })
      .write("b", "new")
      .catch(() => undefined);
    expect([text("a"), existsSync(kept.at("b"))]).to.deep.equal(["new", false]);
    kept.before = {};
    expect((await kept.list()).items.map(({ path, state }) => [path, state])).to.deep.equal([
      [kept.at("a"), "done"],
    ]);
    expect((await kept.revert()).success).to.equal(true);
    expect(text("a")).to.equal("old");
  });

  it("is not certain of a change that was cut in a file that somebody has written to since, and leaves that alone", async () => {
    const { files, put, text } = open();
    put("a", "old");
    let commits = 0;
    kept.before = { commit: () => (++commits > 1 ? full() : undefined) };
    await files().write("a", "new");
    kept.before = {};
    put("a", "mine");
    await kept.restart();
    expect((await kept.list()).items[0]?.state).to.equal("uncertain");
    expect((await kept.revert()).refused[0]?.reason).to.contain("was cut");
    expect(text("a")).to.equal("mine");
  });

  it("is not put over what somebody writes while it is fetched", async () => {
    const { files, put, text } = open();
    put("a", "old");
    await files().write("a", "new");
    kept.before = { get: () => put("a", "mine") };
    const told = await kept.revert();
    expect([told.success, told.reverted, told.refused[0]?.reason]).to.deep.equal([
      false,
      [],
      "It has changed since.",
    ]);
    expect(text("a")).to.equal("mine");
  });

  it("is not put back when it is not what it was", async () => {
    const { files, put, text } = open();
    put("a", "old");
    await files().write("a", "new");
    const [id = ""] = kept.blobs.keys();
    await kept.storage.blobs.put(id, Buffer.from("odd"));
    expect((await kept.revert()).refused[0]?.reason).to.contain("not kept any more");
    expect(text("a")).to.equal("new");
  });

  it("is listed for a run and all below it, and for nobody beside it", async () => {
    const { files } = open();
    await files({ lineage: ["run_a"] }).write("a", "1");
    await files({ lineage: ["run_a", "run_b"] }).write("b", "1");
    await files({ lineage: ["run_a", "run_b", "run_c"] }).write("c", "1");
    const names = async (id: string) =>
      (await kept.list(id)).items.map(({ path }) => path.at(-1)).toReversed();
    expect([await names("run_a"), await names("run_b"), await names("run_c")]).to.deep.equal([
      ["a", "b", "c"],
      ["b", "c"],
      ["c"],
    ]);
  });
});
