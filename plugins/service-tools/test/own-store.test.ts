import { expect } from "chai";
import { AppError, type Entity, type Stored, type Write } from "@pergola/sdk";
import type { Parts, RegisteredTool } from "@pergola/sdk/host";
import { ownStore } from "../own-store.ts";

const fence = { name: "conversation/garden", number: "7" };

/** Records of which every other read finds that somebody else has changed one meanwhile. */
function scene(found: readonly (number | undefined)[]) {
  const commits: unknown[] = [];
  const versions = [...found];
  const records = {
    get: async (id: string): Promise<Stored<Entity> | undefined> => {
      const version = versions.shift();
      return version === undefined ? undefined : { id, version };
    },
  };
  const written: unknown[] = [];
  const noting = (what: string): object =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...given: unknown[]) =>
            written.push([what, method, ...given]),
      },
    );
  const parts = {
    stores: {
      storage: { collection: () => records, blobs: noting("blobs"), search: () => noting("search") },
      commit: async (writes: readonly Write[], options: object) => {
        commits.push([...writes, options]);
        if (versions.length > 0) throw new AppError({ code: "conflict", message: "It has changed." });
      },
    },
  } as unknown as Parts;
  const tool = { plugin: { id: "tool-garden", collections: {} } } as unknown as RegisteredTool;
  const store = (own: typeof fence | undefined) => ownStore(parts, tool, own);
  const open = (own: typeof fence | undefined) => store(own).collection<Entity>("beds");
  return { commits, records, open, store, written };
}

describe("a plugin's own records in a call", () => {
  it("change by the fence of the run", async () => {
    const { commits, open } = scene([]);
    await open(fence).put({ id: "roses" }, { ifVersion: 2 });
    const put = { collection: "tool-garden/beds", put: { id: "roses" }, ifVersion: 2 };
    expect(commits).to.deep.equal([[put, { fence }]]);
  });

  it("are deleted as they were seen, by the fence of the run", async () => {
    const { commits, open } = scene([1, 2]);
    expect(await open(fence).delete("roses")).to.equal(true);
    const deleted = (ifVersion: number) => [
      { collection: "tool-garden/beds", delete: "roses", ifVersion },
      { fence },
    ];
    expect(commits).to.deep.equal([deleted(1), deleted(2)]);
    expect(await open(fence).delete("roses")).to.equal(false);
  });

  it("change by it as bytes and in indexes too", async () => {
    const { store, written } = scene([]);
    const { blobs, search } = store(fence);
    const document = { id: "1", scope: "garden", fields: { text: "roses" } };
    await blobs.put("picture", Buffer.from("x"));
    await blobs.delete("picture");
    await search("texts").index([document]);
    await search("texts").remove(["1"]);
    await search("texts").removeScope("garden");
    expect(written).to.deep.equal([
      ["blobs", "put", "tool-garden/picture", Buffer.from("x"), { fence }],
      ["blobs", "delete", "tool-garden/picture", { fence }],
      ["search", "index", [document], { fence }],
      ["search", "remove", ["1"], { fence }],
      ["search", "removeScope", "garden", { fence }],
    ]);
  });

  it("are the storage's where there are no other hosts", () => {
    const { open, records } = scene([]);
    expect(open(undefined)).to.equal(records);
  });
});
