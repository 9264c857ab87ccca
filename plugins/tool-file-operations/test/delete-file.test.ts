import { readlinkSync, symlinkSync } from "node:fs";
import { expect } from "chai";
import { operationNamed, workspace } from "./context.ts";

describe("delete_file", () => {
  it("deletes a file", async () => {
    const { data, has } = workspace({ "a.txt": "" });
    expect(await data("delete_file", { filePath: "a.txt" })).to.equal("Deleted a.txt.");
    expect(has("a.txt")).to.equal(false);
  });

  it("refuses folders", async () => {
    const { failure, has } = workspace({ "a/b.txt": "" });
    expect((await failure("delete_file", { filePath: "a" })).code).to.equal("invalid_value");
    expect(has("a/b.txt")).to.equal(true);
  });

  it("removes a link, not what it leads to", async () => {
    const { run, path, has } = workspace({ "a.txt": "" });
    symlinkSync("a.txt", path("link"));
    expect(readlinkSync(path("link"))).to.equal("a.txt");
    await run("delete_file", { filePath: "link" });
    expect([has("link"), has("a.txt")]).to.deep.equal([false, true]);
  });

  it("fails for what is not there, and is destructive", async () => {
    expect((await workspace().failure("delete_file", { filePath: "a" })).code).to.equal("file_not_found");
    expect(operationNamed("delete_file").effect).to.equal("destructive");
  });

  it("knows after a crash whether it happened", async () => {
    expect(await workspace({ a: "" }).outcome("delete_file", { filePath: "a" })).to.equal("did_not_happen");
    expect(await workspace().outcome("delete_file", { filePath: "a" })).to.equal("happened");
  });
});
