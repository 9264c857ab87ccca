import { chmodSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { expect } from "chai";
import { operationNamed, workspace } from "./context.ts";

const reconcile = async (operation: string, args: Readonly<Record<string, unknown>>, place: ReturnType<typeof workspace>) =>
  operationNamed(operation).reconcile?.(args as never, place.context);

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
    expect((await failure("create_file", { filePath: "folder", overwrite: true })).code).to.equal("invalid_value");
  });

  it("knows after a crash whether it happened", async () => {
    const place = workspace({ same: "text", other: "else" });
    expect(await reconcile("create_file", { filePath: "none", content: "text" }, place)).to.equal("did_not_happen");
    expect(await reconcile("create_file", { filePath: "same", content: "text" }, place)).to.equal("happened");
    expect(await reconcile("create_file", { filePath: "other", content: "text" }, place)).to.equal("unknown");
  });
});

describe("write_file", () => {
  it("writes new and existing files, and counts bytes", async () => {
    const { data, text } = workspace();
    expect(await data("write_file", { filePath: "x/a.txt", content: "né" })).to.deep.equal({
      filePath: "x/a.txt",
      bytes: 3,
      created: true,
    });
    expect(await data("write_file", { filePath: "x/a.txt", content: "" })).to.deep.equal({ filePath: "x/a.txt", bytes: 0, created: false });
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
    const error = await failure("write_file", { filePath: `../${root.split("/").at(-1)}-evil/x`, content: "x" });
    expect(error.code).to.equal("path_escape");
  });

  it("CVE-2025-53109: refuses to write through a link that leads outside", async () => {
    const { failure, path } = workspace();
    symlinkSync("/etc", path("etc"));
    expect((await failure("write_file", { filePath: "etc/pergola-test", content: "x" })).code).to.equal("permission_denied");
    expect((await failure("create_file", { filePath: "etc/pergola-test", content: "x" })).code).to.equal("permission_denied");
  });
});

describe("append_file", () => {
  it("adds exactly the text, to old and new files", async () => {
    const { data, text } = workspace({ "a.txt": "one" });
    expect(await data("append_file", { filePath: "a.txt", content: " twö\r\n" })).to.deep.equal({ filePath: "a.txt", bytes: 7 });
    expect(text("a.txt")).to.equal("one twö\r\n");
    await data("append_file", { filePath: "b/new.txt", content: "x" });
    expect(text("b/new.txt")).to.equal("x");
  });

  it("loses nothing when several appends run at once", async () => {
    const { run, text } = workspace();
    await Promise.all(Array.from({ length: 20 }, (_, index) => run("append_file", { filePath: "log", content: `${index}\n` })));
    expect(text("log").trim().split("\n")).to.have.length(20);
  });

  it("takes what is already there after a crash as unknown", async () => {
    const place = workspace({ "a.txt": "one two" });
    expect(await reconcile("append_file", { filePath: "a.txt", content: "three" }, place)).to.equal("did_not_happen");
    expect(await reconcile("append_file", { filePath: "a.txt", content: "two" }, place)).to.equal("unknown");
    expect(await reconcile("append_file", { filePath: "none", content: "two" }, place)).to.equal("did_not_happen");
  });
});

describe("replace_string", () => {
  const args = { filePath: "a.txt", oldString: "foo", newString: "bar" };

  it("replaces one match", async () => {
    const { data, text } = workspace({ "a.txt": "a foo b" });
    expect(await data("replace_string", args)).to.deep.equal({ filePath: "a.txt", replacementCount: 1 });
    expect(text("a.txt")).to.equal("a bar b");
  });

  it("T06: fails for several matches, with their number and lines, and changes nothing", async () => {
    const { failure, text } = workspace({ "a.txt": "foo\nx\nfoo foo\n" });
    const error = await failure("replace_string", args);
    expect(error.code).to.equal("ambiguous_match");
    expect(error.message).to.contain("3 times");
    expect(error.message).to.contain("1, 3, 3");
    expect(error.fields).to.deep.equal({ matchCount: 3, lines: [1, 3, 3] });
    expect(text("a.txt")).to.equal("foo\nx\nfoo foo\n");
  });

  it("replaces all on request, or the expected number", async () => {
    const { data, put, text } = workspace({ "a.txt": "foo foo" });
    expect(await data("replace_string", { ...args, replaceAll: true })).to.include({ replacementCount: 2 });
    put("a.txt", "foo foo");
    expect(await data("replace_string", { ...args, expectedReplacements: 2 })).to.include({ replacementCount: 2 });
    expect(text("a.txt")).to.equal("bar bar");
  });

  for (const [content, expectedReplacements, code] of [
    ["foo foo", 1, "ambiguous_match"],
    ["foo foo", 3, "ambiguous_match"],
    ["foo", 2, "invalid_value"],
  ] as const) {
    it(`fails when ${expectedReplacements} are expected in ${content}, with replaceAll too`, async () => {
      const { failure, text } = workspace({ "a.txt": content });
      for (const replaceAll of [false, true]) {
        expect((await failure("replace_string", { ...args, expectedReplacements, replaceAll })).code).to.equal(code);
      }
      expect(text("a.txt")).to.equal(content);
    });
  }

  it("counts matches that overlap as several", async () => {
    const { failure } = workspace({ "a.txt": "aaa" });
    expect((await failure("replace_string", { filePath: "a.txt", oldString: "aa", newString: "b" })).code).to.equal("ambiguous_match");
  });

  it("fails without a match and points at a line that begins alike", async () => {
    const { failure, text } = workspace({ "a.ts": "function a() {\n\treturn 1;\n}\n" });
    const error = await failure("replace_string", { filePath: "a.ts", oldString: "  return 1;\n}", newString: "x" });
    expect(error.code).to.equal("not_found");
    expect(error.hint).to.contain("Line 2");
    expect(text("a.ts")).to.equal("function a() {\n\treturn 1;\n}\n");
  });

  it("takes $ and other signs literally", async () => {
    const { run, text } = workspace({ "a.txt": "price: (x)" });
    await run("replace_string", { filePath: "a.txt", oldString: "(x)", newString: "$& $1 $$" });
    expect(text("a.txt")).to.equal("price: $& $1 $$");
  });

  it("matches and keeps CRLF when the text is given with LF", async () => {
    const { run, text } = workspace({ "a.txt": "one\r\ntwo\r\nthree\r\n" });
    await run("replace_string", { filePath: "a.txt", oldString: "one\ntwo", newString: "1\n2" });
    expect(text("a.txt")).to.equal("1\r\n2\r\nthree\r\n");
  });

  it("leaves mixed line ends as they are", async () => {
    const { run, text } = workspace({ "a.txt": "one\r\ntwo\nthree" });
    await run("replace_string", { filePath: "a.txt", oldString: "two\n", newString: "2\n" });
    expect(text("a.txt")).to.equal("one\r\n2\nthree");
  });

  it("keeps a byte order mark and characters of other scripts", async () => {
    const { run, text } = workspace({ "a.txt": "\ufeff日本 🙂" });
    await run("replace_string", { filePath: "a.txt", oldString: "🙂", newString: "語" });
    expect(text("a.txt")).to.equal("\ufeff日本 語");
  });

  it("does not damage files that are not UTF-8, or binary", async () => {
    const { failure } = workspace({ "latin.txt": new Uint8Array([0x66, 0x6f, 0x6f, 0xe9]), "a.bin": "foo\0" });
    expect((await failure("replace_string", { ...args, filePath: "latin.txt" })).message).to.contain("UTF-8");
    expect((await failure("replace_string", { ...args, filePath: "a.bin" })).fields).to.deep.equal({ isBinary: true });
  });

  it("does not lose an edit when several run at once", async () => {
    const { run, text } = workspace({ "a.txt": Array.from({ length: 10 }, (_, index) => `<${index}>`).join("") });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        run("replace_string", { filePath: "a.txt", oldString: `<${index}>`, newString: `[${index}]` }),
      ),
    );
    expect(text("a.txt")).to.equal(Array.from({ length: 10 }, (_, index) => `[${index}]`).join(""));
  });

  for (const [content, outcome] of [
    ["a foo", "did_not_happen"],
    ["a bar", "happened"],
    ["foo bar", "unknown"],
    ["neither", "unknown"],
  ] as const) {
    it(`after a crash takes ${content} as ${outcome}`, async () => {
      expect(await reconcile("replace_string", args, workspace({ "a.txt": content }))).to.equal(outcome);
    });
  }

  it("after a crash does not guess when the new text holds the old one", async () => {
    const grown = { filePath: "a.txt", oldString: "foo", newString: "foo2" };
    expect(await reconcile("replace_string", grown, workspace({ "a.txt": "foo" }))).to.equal("did_not_happen");
    expect(await reconcile("replace_string", grown, workspace({ "a.txt": "foo2" }))).to.equal("unknown");
    expect(await reconcile("replace_string", grown, workspace())).to.equal("unknown");
  });
});

describe("multi_replace_string", () => {
  it("replaces in several files", async () => {
    const { data, text } = workspace({ "a.txt": "one two", "b.txt": "three" });
    const result = await data("multi_replace_string", {
      filePath: "a.txt",
      replacements: [
        { oldString: "one", newString: "1" },
        { oldString: "two", newString: "2" },
        { filePath: "b.txt", oldString: "three", newString: "3" },
      ],
    });
    expect(result).to.deep.equal({
      replacements: [
        { filePath: "a.txt", oldString: "one", newString: "1", count: 1 },
        { filePath: "a.txt", oldString: "two", newString: "2", count: 1 },
        { filePath: "b.txt", oldString: "three", newString: "3", count: 1 },
      ],
      totalReplacements: 3,
    });
    expect([text("a.txt"), text("b.txt")]).to.deep.equal(["1 2", "3"]);
  });

  it("sees the effect of earlier replacements, under any name of the file", async () => {
    const { run, text } = workspace({ "a.txt": "one" });
    await run("multi_replace_string", {
      replacements: [
        { filePath: "a.txt", oldString: "one", newString: "two" },
        { filePath: "./a.txt", oldString: "two", newString: "three" },
      ],
    });
    expect(text("a.txt")).to.equal("three");
  });

  for (const [why, last, code] of [
    ["without a match", { filePath: "b.txt", oldString: "none", newString: "x" }, "not_found"],
    ["with several matches", { filePath: "b.txt", oldString: "e", newString: "x" }, "ambiguous_match"],
    ["of a missing file", { filePath: "none.txt", oldString: "e", newString: "x" }, "file_not_found"],
  ] as const) {
    it(`T08: changes no file when one replacement is ${why}`, async () => {
      const { failure, text } = workspace({ "a.txt": "one", "b.txt": "three" });
      const error = await failure("multi_replace_string", {
        replacements: [{ filePath: "a.txt", oldString: "one", newString: "1" }, last],
      });
      expect(error.code).to.equal(code);
      expect([text("a.txt"), text("b.txt")]).to.deep.equal(["one", "three"]);
    });
  }

  it("needs a file for each replacement", async () => {
    const error = await workspace().failure("multi_replace_string", { replacements: [{ oldString: "a", newString: "b" }] });
    expect(error.code).to.equal("insufficient_params");
  });

  it("after a crash is sure only when its parts agree", async () => {
    const args = {
      replacements: [
        { filePath: "a.txt", oldString: "old", newString: "new" },
        { filePath: "b.txt", oldString: "old", newString: "new" },
      ],
    };
    expect(await reconcile("multi_replace_string", args, workspace({ "a.txt": "old", "b.txt": "old" }))).to.equal("did_not_happen");
    expect(await reconcile("multi_replace_string", args, workspace({ "a.txt": "new", "b.txt": "new" }))).to.equal("happened");
    expect(await reconcile("multi_replace_string", args, workspace({ "a.txt": "new", "b.txt": "old" }))).to.equal("unknown");
  });

  it("A10: names every path to the policy", () => {
    const { replacements } = operationNamed("multi_replace_string").parameters;
    expect(replacements?.items?.properties?.["filePath"]).to.include({ format: "path" });
  });
});

describe("insert_at_line", () => {
  for (const [before, lineNumber, newText, after, linesModified] of [
    ["a\nb\n", 1, "x", "x\na\nb\n", 1],
    ["a\nb\n", 2, "x", "a\nx\nb\n", 1],
    ["a\nb\n", 3, "x", "a\nb\nx\n", 1],
    ["a\nb", 3, "x", "a\nb\nx", 1],
    ["a\nb", 1, "x", "x\na\nb", 1],
    ["", 1, "x", "x", 1],
    ["a\n", 1, "x\n", "x\na\n", 1],
    ["a\n", 1, "x\ny", "x\ny\na\n", 2],
    ["a\nb\n", 2, "", "a\n\nb\n", 1],
    ["a\r\nb\r\n", 2, "x\ny", "a\r\nx\r\ny\r\nb\r\n", 2],
    ["日\n本\n", 2, "🙂", "日\n🙂\n本\n", 1],
  ] as const) {
    it(`inserts ${JSON.stringify(newText)} before line ${lineNumber} of ${JSON.stringify(before)}`, async () => {
      const { data, text } = workspace({ "a.txt": before });
      expect(await data("insert_at_line", { filePath: "a.txt", lineNumber, newText })).to.deep.equal({
        filePath: "a.txt",
        lineNumber,
        linesModified,
      });
      expect(text("a.txt")).to.equal(after);
    });
  }

  it("refuses lines beyond the one after the last", async () => {
    const { failure, text } = workspace({ "a.txt": "a\nb\n", "empty.txt": "" });
    const error = await failure("insert_at_line", { filePath: "a.txt", lineNumber: 4, newText: "x" });
    expect(error.code).to.equal("invalid_value");
    expect(error.hint).to.contain("1 to 3");
    expect((await failure("insert_at_line", { filePath: "empty.txt", lineNumber: 2, newText: "x" })).code).to.equal("invalid_value");
    expect(text("a.txt")).to.equal("a\nb\n");
  });

  it("has line 1 as its smallest", () => {
    expect(operationNamed("insert_at_line").parameters["lineNumber"]).to.include({ minimum: 1 });
  });
});

describe("insert_edit", () => {
  it("T02: inserts by default, or replaces the line", async () => {
    const { data, text } = workspace({ "a.txt": "a\nb\nc" });
    await data("insert_edit", { filePath: "a.txt", lineNumber: 2, newText: "x" });
    expect(text("a.txt")).to.equal("a\nx\nb\nc");
    await data("insert_edit", { filePath: "a.txt", lineNumber: 4, newText: "z", insertOperation: "replace" });
    expect(text("a.txt")).to.equal("a\nx\nb\nz");
  });

  it("replaces no line that is not there", async () => {
    const { failure } = workspace({ "a.txt": "a\n", empty: "" });
    expect((await failure("insert_edit", { filePath: "a.txt", lineNumber: 2, newText: "x", insertOperation: "replace" })).code).to.equal(
      "invalid_value",
    );
    expect((await failure("insert_edit", { filePath: "empty", lineNumber: 1, newText: "x", insertOperation: "replace" })).code).to.equal(
      "invalid_value",
    );
  });
});

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
    expect((await failure("rename_file", { oldPath: "a.txt", newPath: "../b.txt" })).code).to.equal("path_escape");
    expect((await failure("rename_file", { oldPath: "../a.txt", newPath: "b.txt" })).code).to.equal("path_escape");
    expect((await failure("rename_file", { oldPath: "none.txt", newPath: "b.txt" })).code).to.equal("file_not_found");
    const { parameters } = operationNamed("rename_file");
    expect([parameters["oldPath"]?.format, parameters["newPath"]?.format]).to.deep.equal(["path", "path"]);
  });

  it("knows after a crash whether it happened", async () => {
    const args = { oldPath: "a", newPath: "b" };
    expect(await reconcile("rename_file", args, workspace({ a: "" }))).to.equal("did_not_happen");
    expect(await reconcile("rename_file", args, workspace({ b: "" }))).to.equal("happened");
    expect(await reconcile("rename_file", args, workspace({ a: "", b: "" }))).to.equal("unknown");
    expect(await reconcile("rename_file", args, workspace())).to.equal("unknown");
  });
});

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
    expect(await reconcile("delete_file", { filePath: "a" }, workspace({ a: "" }))).to.equal("did_not_happen");
    expect(await reconcile("delete_file", { filePath: "a" }, workspace())).to.equal("happened");
  });
});

describe("create_directory", () => {
  it("makes folders, and leaves one that exists", async () => {
    const { data, path } = workspace();
    expect(await data("create_directory", { filePath: "a/b/c" })).to.deep.equal({ path: "a/b/c", created: true });
    expect(statSync(path("a/b/c")).isDirectory()).to.equal(true);
    expect(await data("create_directory", { filePath: "a/b" })).to.deep.equal({ path: "a/b", created: false });
  });

  it("fails where a file stands", async () => {
    const { failure } = workspace({ a: "x" });
    expect((await failure("create_directory", { filePath: "a" })).code).to.equal("conflict");
    expect((await failure("create_directory", { filePath: "a/b" })).code).to.equal("invalid_value");
  });
});
