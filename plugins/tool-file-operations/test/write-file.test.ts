import { chmodSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { expect } from "chai";
import { workspace } from "./context.ts";

describe("write_file", () => {
  it("writes new and existing files, and counts bytes", async () => {
    const { data, text } = workspace();
    expect(await data("write_file", { filePath: "x/a.txt", content: "né" })).to.deep.equal({
      filePath: "x/a.txt",
      bytes: 3,
      created: true,
    });
    expect(await data("write_file", { filePath: "x/a.txt", content: "" })).to.deep.equal({
      filePath: "x/a.txt",
      bytes: 0,
      created: false,
    });
    expect(text("x/a.txt")).to.equal("");
  });

  it("keeps permission bits", async () => {
    const { run, path } = workspace({ "run.sh": "old" });
    chmodSync(path("run.sh"), 0o750);
    await run("write_file", { filePath: "run.sh", content: "new" });
    expect(statSync(path("run.sh")).mode & 0o777).to.equal(0o750);
  });

  it("T07: leaves no other file beside it", async () => {
    const { run, root } = workspace({ "a.txt": "old" });
    await run("write_file", { filePath: "a.txt", content: "new" });
    await run("replace_string", { filePath: "a.txt", oldString: "new", newString: "newer" });
    expect(readdirSync(root)).to.deep.equal(["a.txt"]);
  });

  it("CVE-2025-53110: refuses a path that leaves the working directory", async () => {
    const { failure, root } = workspace();
    const error = await failure("write_file", {
      filePath: `../${root.split("/").at(-1)}-evil/x`,
      content: "x",
    });
    expect(error.code).to.equal("path_escape");
  });

  it("CVE-2025-53109: refuses to write through a link that leads outside", async () => {
    const { failure, path } = workspace();
    symlinkSync("/etc", path("etc"));
    expect((await failure("write_file", { filePath: "etc/pergola-test", content: "x" })).code).to.equal(
      "permission_denied",
    );
    expect((await failure("create_file", { filePath: "etc/pergola-test", content: "x" })).code).to.equal(
      "permission_denied",
    );
  });
});
