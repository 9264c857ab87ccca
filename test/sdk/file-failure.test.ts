import { expect } from "chai";
import { readFileSync } from "node:fs";
import { closeNames, fileFailure, isBelow, ToolError } from "@pergola/sdk";
import { systemFailure, toolErrorTable } from "@pergola/sdk/host";

describe("fileFailure", () => {
  const codes =
    "EACCES EPERM EROFS EEXIST ENOTEMPTY ENOSPC EDQUOT ENOENT ELOOP ENOTDIR EISDIR ENXIO EXDEV EFBIG ENAMETOOLONG EIO EMFILE".split(
      " ",
    );

  it("gives every failure of the system a known code, the given path and no other", () => {
    for (const code of codes) {
      const failure = fileFailure(
        Object.assign(systemFailure(code), { message: `${code}: /root/secret/place` }),
        "a.txt",
      ) as ToolError;
      expect(ToolError.is(failure), code).to.equal(true);
      expect(toolErrorTable, code).to.have.property(failure.code);
      expect(failure.message, code).to.match(/^"a\.txt" .+\.$/);
      expect(failure.message + failure.hint, code).to.not.include("/root");
    }
  });

  it("tells apart who refused", () => {
    const codeOf = (code: string): string => (fileFailure(systemFailure(code), "x") as ToolError).code;
    expect(["EACCES", "EPERM", "ELOOP", "ENOENT", "EEXIST", "EISDIR", "ENOSPC"].map(codeOf)).to.deep.equal([
      "system_permission_denied",
      "system_permission_denied",
      "permission_denied",
      "file_not_found",
      "conflict",
      "invalid_value",
      "generic_error",
    ]);
  });

  it("keeps the cause, and names close paths", () => {
    try {
      readFileSync("/no/such/file");
    } catch (cause) {
      expect(fileFailure(cause, "x", ["y", "z"])).to.include({ hint: "Close to it: y, z", cause });
    }
  });

  it("leaves every other error as it is", () => {
    for (const error of [
      new TypeError("bug"),
      new ToolError("denied", "no"),
      Object.assign(new Error("x"), { code: "ERR_X" }),
    ]) {
      expect(fileFailure(error, "x")).to.equal(error);
    }
  });
});

describe("closeNames", () => {
  it("gives the closest first, and nothing far", () => {
    const names = ["main.ts", "index.ts", "indexes.ts", "Index.tsx", "readme.md", "x", ""];
    expect(closeNames("indx.ts", names)).to.deep.equal(["index.ts", "Index.tsx", "indexes.ts"]);
    expect(closeNames("index.ts", names, 1)).to.deep.equal(["index.ts"]);
    expect(closeNames("zzz", names)).to.deep.equal([]);
    expect(closeNames("gadget", ["bridge", "widget"])).to.deep.equal(["widget"]);
    expect(closeNames("gadget", ["bridge"])).to.deep.equal([]);
    expect(closeNames("polciy", ["policy", "provider"])).to.deep.equal(["policy"]);
    expect(closeNames("write_file", ["file_write"])).to.deep.equal(["file_write"]);
    expect(closeNames("", names)).to.deep.equal([]);
  });
});

describe("isBelow", () => {
  it("A09: compares by segment", () => {
    for (const file of ["/a/b", "/a/b/c", "/a/b/..c", "/a/b/c/d"])
      expect(isBelow("/a/b", file), file).to.equal(true);
    for (const file of ["/a/bc", "/a", "/", "/b", "/a/b/../c"])
      expect(isBelow("/a/b", file), file).to.equal(false);
    expect(isBelow("/", "/anything")).to.equal(true);
  });
});
