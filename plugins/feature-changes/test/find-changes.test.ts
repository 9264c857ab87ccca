import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { findChanges } from "../programs/find-changes.ts";
import { Shadow } from "../programs/shadow.ts";
import { takeSnapshot } from "../programs/snapshot.ts";

describe("what has changed between two looks", () => {
  const bounds = { most: 100, time: 10_000, dataDirectory: temporaryFolder() };
  let folder = "";
  let shadow: Shadow;
  beforeEach(() => {
    folder = temporaryFolder();
    shadow = new Shadow(path.join(temporaryFolder(), "contents"));
  });
  const at = (name: string): string => path.join(folder, name);
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const between = async (work: () => void, more: object = {}) => {
    const {
      most = 100,
      limit = 1000,
      recorded = new Map(),
    } = more as { most?: number; limit?: number; recorded?: Map<string, null> };
    const before = await takeSnapshot([folder], { ...bounds, most });
    await shadow.keep(before, limit);
    work();
    const after = await takeSnapshot([folder], { ...bounds, most });
    return (await findChanges({ before, after, shadow, limit, recorded })).map((draft) => ({
      ...draft,
      name: path.relative(folder, draft.path),
    }));
  };
  const names = async (work: () => void, more: object = {}) =>
    (await between(work, more)).map(({ kind, name }) => `${kind} ${name}`);

  it("is nothing when nothing was changed, touched or read", async () => {
    put("a", "a");
    expect(await names(() => undefined)).to.deep.equal([]);
    expect(await names(() => utimesSync(at("a"), 1, 1))).to.deep.equal([]);
    expect(await names(() => put("a", "a"))).to.deep.equal([]);
  });

  it("has the content from before, of the same size and in the same instant too", async () => {
    put("a", "a");
    const [draft] = await between(() => put("a", "b"));
    expect([draft?.kind, Buffer.from(draft?.bytes ?? []).toString()]).to.deep.equal(["modified", "a"]);
    await setTimeout(60);
    expect(await names(() => undefined)).to.deep.equal([]);
    expect(await names(() => put("a", "c"))).to.deep.equal(["modified a"]);
  });

  it("comes in an order in which the reverse can be taken back", async () => {
    put("old/deep/a", "a");
    put("kept", "k");
    const work = (): void => {
      rmSync(at("old"), { recursive: true });
      chmodSync(at("kept"), 0o700);
      put("new/deep/b", "b");
    };
    expect(await names(work)).to.deep.equal([
      "deleted old/deep/a",
      "deleted old/deep",
      "deleted old",
      "modified kept",
      "created new",
      "created new/deep",
      "created new/deep/b",
    ]);
  });

  it("leaves out what a call has recorded by itself, unless it is another again", async () => {
    put("a", "a");
    const gone = new Map([[at("a"), null]]);
    expect(await names(() => rmSync(at("a")), { recorded: gone })).to.deep.equal([]);
    put("a", "a");
    expect(await names(() => put("a", "b"), { recorded: gone })).to.deep.equal(["modified a"]);
  });

  it("does not take for new what it had not looked at before", async () => {
    for (let index = 0; index < 4; index++) put(`sub/${index}`, "x");
    put("a", "a");
    const cut = await names(
      () => {
        for (let index = 0; index < 4; index++) rmSync(at(`sub/${index}`));
        for (let index = 0; index < 4; index++) put(`sub/n${index}`, "x");
        put("b", "b");
      },
      { most: 4 },
    );
    expect(cut.filter((one) => one.startsWith("created sub"))).to.deep.equal([]);
    expect(cut).to.include("created b");
  });

  it("cannot be put back where the content was not kept, or a folder and a file have changed places", async () => {
    put("large", "x".repeat(1001));
    put("place", "file");
    const drafts = await between(() => {
      put("large", "small");
      rmSync(at("place"));
      mkdirSync(at("place"));
    });
    expect(drafts.map(({ name, lost }) => [name, lost?.split(" ").slice(0, 2).join(" ")])).to.deep.equal([
      ["large", "It is"],
      ["place", "A folder"],
    ]);
  });

  it("follows no link, and keeps no content of what a link means", async () => {
    const outside = temporaryFolder();
    symlinkSync(outside, at("link"));
    expect(await names(() => writeFileSync(path.join(outside, "a"), "a"))).to.deep.equal([]);
    rmSync(at("link"));
    const [draft] = await between(() => symlinkSync("/etc/hostname", at("made")));
    expect([draft?.kind, draft?.after?.kind, draft?.after?.sha256]).to.deep.equal(["created", "link", null]);
  });
});
