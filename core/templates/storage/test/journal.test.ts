import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { storage as definition } from "../index.ts";

const { log } = toolContext();
const openIn = (dataDirectory: string) => definition.open({}, { dataDirectory, log });
const fileIn = (folder: string): string => path.join(folder, "sample-name.jsonl");

describe("the journal", () => {
  const search = { fields: { body: 1 }, dimensions: 2 };

  async function filledFolder(): Promise<string> {
    const folder = temporaryFolder();
    const storage = await openIn(folder);
    const notes = storage.collection("notes", { indexes: [] });
    for (const id of ["kept", "kept", "deleted"]) await notes.put({ id });
    await notes.delete("deleted");
    await storage.blobs.put("bytes", new Uint8Array([0, 255]));
    const vector = new Float32Array([0.6, 0.8]);
    await storage.search("notes", search).index([{ id: "a", scope: "s", fields: { body: "tea" }, vector }]);
    await storage.close();
    return folder;
  }

  it("brings everything back after a restart", async () => {
    const storage = await openIn(await filledFolder());
    const notes = storage.collection("notes", { indexes: [] });
    expect(await notes.find({})).to.deep.equal([{ id: "kept", version: 2 }]);
    expect(await storage.blobs.get("bytes")).to.deep.equal(new Uint8Array([0, 255]));
    const vector = new Float32Array([0.6, 0.8]);
    const [hit] = await storage
      .search("notes", search)
      .query({ scopes: ["s"], text: "tea", vector, limit: 1 });
    expect(hit?.textRank).to.equal(1);
    expect(hit?.similarity).to.be.closeTo(1, 1e-6);
    await storage.close();
  });

  it("drops half a line at the end, and writes after the last whole one", async () => {
    const folder = await filledFolder();
    const file = fileIn(folder);
    const before = readFileSync(file, "utf8");
    appendFileSync(file, '[{"table":"records/notes","id":"ha');
    const storage = await openIn(folder);
    await storage.collection("notes", { indexes: [] }).put({ id: "next" });
    await storage.close();
    const row = { table: "records/notes", id: "next", version: 1, value: { id: "next" } };
    expect(readFileSync(file, "utf8")).to.equal(`${before}${JSON.stringify([row])}\n`);
  });

  it("refuses a damaged file and leaves it as it is", async () => {
    const folder = temporaryFolder();
    const file = fileIn(folder);
    writeFileSync(file, "[]\n[{\n[]\nhalf");
    expect(() => openIn(folder)).to.throw("is damaged");
    expect(readFileSync(file, "utf8")).to.equal("[]\n[{\n[]\nhalf");
  });
});
