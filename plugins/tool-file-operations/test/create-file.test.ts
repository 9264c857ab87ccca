import { mkdirSync } from "node:fs";
import { expect } from "chai";
import { workspace } from "./context.ts";

describe("create_file", () => {
  it("makes the file and the folders above it", async () => {
    const { data, text } = workspace();
    expect(await data("create_file", { filePath: "a/b/c.txt", content: "héllo" })).to.deep.equal({
      filePath: "a/b/c.txt",
      filename: "c.txt",
      created: true,
      overwritten: false,
    });
    expect(text("a/b/c.txt")).to.equal("héllo");
  });

  it("makes an empty file without content", async () => {
    const { run, text } = workspace();
    await run("create_file", { filePath: "empty" });
    expect(text("empty")).to.equal("");
  });

  it("refuses a file that exists, unless told to overwrite", async () => {
    const { failure, data, text } = workspace({ "a.txt": "old" });
    const error = await failure("create_file", { filePath: "a.txt", content: "new" });
    expect(error.code).to.equal("conflict");
    expect(error.hint).to.contain("overwrite");
    expect(text("a.txt")).to.equal("old");
    expect(await data("create_file", { filePath: "a.txt", content: "new", overwrite: true })).to.include({
      created: false,
      overwritten: true,
    });
    expect(text("a.txt")).to.equal("new");
  });

  it("refuses a folder's name", async () => {
    const { failure, path } = workspace();
    mkdirSync(path("folder"));
    expect((await failure("create_file", { filePath: "folder" })).code).to.equal("conflict");
    expect((await failure("create_file", { filePath: "folder", overwrite: true })).code).to.equal(
      "invalid_value",
    );
  });

  it("knows after a crash whether it happened", async () => {
    const place = workspace({ same: "text", other: "else" });
    expect(await place.outcome("create_file", { filePath: "none", content: "text" })).to.equal(
      "did_not_happen",
    );
    expect(await place.outcome("create_file", { filePath: "same", content: "text" })).to.equal("happened");
    expect(await place.outcome("create_file", { filePath: "other", content: "text" })).to.equal("unknown");
  });
});
