import { statSync } from "node:fs";
import { expect } from "chai";
import { workspace } from "./context.ts";

describe("create_directory", () => {
  it("makes folders, and leaves one that exists", async () => {
    const { data, path } = workspace();
    expect(await data("create_directory", { filePath: "a/b/c" })).to.deep.equal({
      path: "a/b/c",
      created: true,
    });
    expect(statSync(path("a/b/c")).isDirectory()).to.equal(true);
    expect(await data("create_directory", { filePath: "a/b" })).to.deep.equal({
      path: "a/b",
      created: false,
    });
  });

  it("fails where a file stands", async () => {
    const { failure } = workspace({ a: "x" });
    expect((await failure("create_directory", { filePath: "a" })).code).to.equal("conflict");
    expect((await failure("create_directory", { filePath: "a/b" })).code).to.equal("invalid_value");
  });
});
