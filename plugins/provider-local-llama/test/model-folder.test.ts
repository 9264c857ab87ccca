import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { findModels, removeModel } from "../model-folder.ts";

describe("the folder of models", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const put = (name: string, size = 1): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "x".repeat(size));
  };
  const ids = async (): Promise<readonly string[]> => (await findModels(folder)).map(({ id }) => id);

  it("names models by their path below it, at any depth, in order", async () => {
    ["owner/repo/b-Q4_K_M.gguf", "a.gguf", "owner/repo/A.GGUF"].forEach((name) => put(name));
    expect(await ids()).to.deep.equal(["a", "owner/repo/A", "owner/repo/b-Q4_K_M"]);
  });

  it("takes the parts of a split model for one, and leaves it out while one is missing", async () => {
    put("o/r/m-00001-of-00002.gguf", 5);
    expect(await ids()).to.deep.equal([]);
    put("o/r/m-00002-of-00002.gguf", 7);
    const [model] = await findModels(folder);
    expect(model).to.include({
      id: "o/r/m",
      path: path.join(folder, "o/r/m-00001-of-00002.gguf"),
      sizeBytes: 12,
    });
    expect(model?.files).to.have.length(2);
  });

  it("leaves out picture encoders, unfinished downloads and what is hidden", async () => {
    [
      "o/r/mmproj-F16.gguf",
      "o/r/x.mmproj.gguf",
      "o/r/m.gguf.part",
      ".hidden/m.gguf",
      "o/.m.gguf",
      "readme.md",
    ].forEach((name) => put(name));
    expect(await ids()).to.deep.equal([]);
  });

  it("holds nothing where there is no folder", async () => {
    expect(await findModels(path.join(folder, "none"))).to.deep.equal([]);
  });

  it("follows links to files, but not to folders", async () => {
    const elsewhere = temporaryFolder();
    writeFileSync(path.join(elsewhere, "m.gguf"), "x");
    symlinkSync(elsewhere, path.join(folder, "linked"));
    symlinkSync(path.join(elsewhere, "m.gguf"), path.join(folder, "mine.gguf"));
    expect(await ids()).to.deep.equal(["mine"]);
    await removeModel((await findModels(folder))[0]!, folder);
    expect([readdirSync(folder), existsSync(path.join(elsewhere, "m.gguf"))]).to.deep.equal([
      ["linked"],
      true,
    ]);
  });

  it("loses a removed model's files and the folders that are empty then, and nothing else", async () => {
    ["o/r/m-00001-of-00002.gguf", "o/r/m-00002-of-00002.gguf", "o/s/n.gguf"].forEach((name) => put(name));
    await removeModel((await findModels(folder))[0]!, folder);
    expect(await ids()).to.deep.equal(["o/s/n"]);
    expect(readdirSync(path.join(folder, "o"))).to.deep.equal(["s"]);
    await removeModel((await findModels(folder))[0]!, folder);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("never lets a file outside it be removed", async () => {
    const outside = path.join(temporaryFolder(), "m.gguf");
    writeFileSync(outside, "x");
    const error = await removeModel(
      { id: "m", path: outside, files: [outside], sizeBytes: 1, changed: 0 },
      folder,
    ).catch((e: unknown) => e);
    expect([error instanceof Error, existsSync(outside)]).to.deep.equal([true, true]);
  });
});
