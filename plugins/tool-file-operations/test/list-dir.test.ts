import { mkdirSync, symlinkSync, chmodSync } from "node:fs";
import { expect } from "chai";
import { workspace } from "./context.ts";

interface Listing {
  readonly entries: readonly {
    readonly name: string;
    readonly isDirectory: boolean;
    readonly size: number;
    readonly permissions: string;
    readonly modifiedDate: string;
  }[];
  readonly count: number;
  readonly totalCount: number;
  readonly hasMore: boolean;
}

const names = ({ entries }: Listing): readonly string[] => entries.map(({ name }) => name);

describe("list_dir", () => {
  it("lists files and folders with size, time and permissions", async () => {
    const { data, path } = workspace({ "b.txt": "12345", "a/inside.txt": "x" });
    chmodSync(path("b.txt"), 0o640);
    const listing = await data<Listing>("list_dir", { filePath: "." });
    expect(listing).to.include({ count: 2, totalCount: 2, hasMore: false, offset: 0, limit: 100 });
    expect(listing.entries[0]).to.include({ name: "a", isDirectory: true });
    expect(listing.entries[1]).to.include({ name: "b.txt", isDirectory: false, size: 5, permissions: "640" });
    expect(listing.entries[1]?.modifiedDate).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it("T26: puts no second dot behind a path that ends with one", async () => {
    const { run } = workspace({ "a/b.txt": "" });
    expect((await run("list_dir", { filePath: "." })).message).to.equal('1 entry in ".".');
    expect((await run("list_dir", { filePath: "a" })).message).to.equal("1 entry in a.");
  });

  it("pages", async () => {
    const { run, data } = workspace(
      Object.fromEntries(
        Array.from({ length: 250 }, (_, index) => [`f${String(index).padStart(3, "0")}`, ""]),
      ),
    );
    const first = await run("list_dir", { filePath: "." });
    expect(first.data).to.include({ count: 100, totalCount: 250, hasMore: true });
    expect(first.message).to.contain("offset 100");
    const last = await data<Listing>("list_dir", { filePath: ".", offset: 200 });
    expect(last).to.include({ count: 50, hasMore: false });
    expect(names(last)[0]).to.equal("f200");
  });

  it("is empty past the end", async () => {
    expect(await workspace({ a: "" }).data("list_dir", { filePath: ".", offset: 5 })).to.include({
      count: 0,
      totalCount: 1,
      hasMore: false,
    });
  });

  it("lists an empty folder", async () => {
    const { data, path } = workspace();
    mkdirSync(path("empty"));
    expect(await data("list_dir", { filePath: "empty" })).to.deep.equal({
      entries: [],
      count: 0,
      totalCount: 0,
      hasMore: false,
      offset: 0,
      limit: 100,
    });
  });

  it("goes down on request, names relative to the folder, and does not follow links", async () => {
    const { data, path } = workspace({ "top/one.txt": "", "top/deep/two.txt": "", "other/three.txt": "" });
    symlinkSync(path("other"), path("top/link"));
    const listing = await data<Listing>("list_dir", { filePath: "top", recursive: true });
    expect(names(listing)).to.deep.equal(["deep", "deep/two.txt", "link", "one.txt"]);
    expect(await data("list_dir_recursive", { filePath: "top" })).to.deep.equal(listing);
  });

  it("lists ignored folders without what is in them", async () => {
    const { run } = workspace({
      ".gitignore": "node_modules/\n",
      "node_modules/x/y.js": "",
      "src/a.js": "",
      ".git/HEAD": "",
    });
    const { data, message } = await run("list_dir", { filePath: ".", recursive: true });
    expect(names(data as unknown as Listing)).to.deep.equal([
      ".git",
      ".gitignore",
      "node_modules",
      "src",
      "src/a.js",
    ]);
    expect(message).to.contain("node_modules");
  });

  it("goes into an ignored folder that is named", async () => {
    const { data } = workspace({ ".gitignore": "node_modules/\n", "node_modules/x/y.js": "" });
    expect(
      names(await data<Listing>("list_dir", { filePath: "node_modules", recursive: true })),
    ).to.deep.equal(["x", "x/y.js"]);
  });

  it("fails for a file and for what is not there", async () => {
    const { failure } = workspace({ "a.txt": "" });
    expect((await failure("list_dir", { filePath: "a.txt" })).code).to.equal("invalid_value");
    expect((await failure("list_dir", { filePath: "none" })).code).to.equal("file_not_found");
    expect((await failure("list_dir", { filePath: "none", recursive: true })).code).to.equal(
      "file_not_found",
    );
  });

  it("refuses to leave the working directory by ..", async () => {
    expect((await workspace().failure("list_dir", { filePath: "../" })).code).to.equal("path_escape");
  });
});

describe("file_exists", () => {
  it("T02: tells files, folders, links and nothing apart", async () => {
    const { data, path } = workspace({ "a/b.txt": "123" });
    symlinkSync("nowhere", path("link"));
    expect(await data("file_exists", { filePath: "a/b.txt" })).to.deep.equal({
      exists: true,
      type: "file",
      size: 3,
    });
    expect(await data("file_exists", { filePath: "a" })).to.include({ exists: true, type: "directory" });
    expect(await data("file_exists", { filePath: "link" })).to.include({ exists: true, type: "link" });
    expect(await data("file_exists", { filePath: "c" })).to.deep.equal({
      exists: false,
      type: null,
      size: null,
    });
  });
});
