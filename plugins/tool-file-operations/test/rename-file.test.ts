import { expect } from "chai";
import { operationNamed, workspace } from "./context.ts";

describe("rename_file", () => {
  it("renames, making folders", async () => {
    const { data, text, has } = workspace({ "a.txt": "x" });
    expect(await data("rename_file", { oldPath: "a.txt", newPath: "b/c/d.txt" })).to.deep.equal({
      old_path: "a.txt",
      new_path: "b/c/d.txt",
    });
    expect(text("b/c/d.txt")).to.equal("x");
    expect(has("a.txt")).to.equal(false);
  });

  it("never overwrites", async () => {
    const { failure, text } = workspace({ "a.txt": "a", "b.txt": "b" });
    expect((await failure("rename_file", { oldPath: "a.txt", newPath: "b.txt" })).code).to.equal("conflict");
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["a", "b"]);
  });

  it("A10: checks both ends", async () => {
    const { failure } = workspace({ "a.txt": "a" });
    expect((await failure("rename_file", { oldPath: "a.txt", newPath: "../b.txt" })).code).to.equal(
      "path_escape",
    );
    expect((await failure("rename_file", { oldPath: "../a.txt", newPath: "b.txt" })).code).to.equal(
      "path_escape",
    );
    expect((await failure("rename_file", { oldPath: "none.txt", newPath: "b.txt" })).code).to.equal(
      "file_not_found",
    );
    const { parameters } = operationNamed("rename_file");
    expect([parameters["oldPath"]?.format, parameters["newPath"]?.format]).to.deep.equal(["path", "path"]);
  });

  it("knows after a crash whether it happened", async () => {
    const args = { oldPath: "a", newPath: "b" };
    expect(await workspace({ a: "" }).outcome("rename_file", args)).to.equal("did_not_happen");
    expect(await workspace({ b: "" }).outcome("rename_file", args)).to.equal("happened");
    expect(await workspace({ a: "", b: "" }).outcome("rename_file", args)).to.equal("unknown");
    expect(await workspace().outcome("rename_file", args)).to.equal("unknown");
  });
});
