import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { indexes } from "../service/indexes.ts";
import { eventually, scene, type Scene } from "./scene.ts";

const found = async (
  at: Scene,
  query: string,
  expected: readonly string[],
  operation = "search",
): Promise<void> => {
  const names = await eventually(
    () => at.names(operation, { query }),
    (got) => got.join() === expected.join(),
  );
  expect(names).to.deep.equal(expected);
};

describe("system_search: following the folders", function () {
  this.timeout(30_000);
  afterEach(() => indexes.close());

  it("sees files that come, change, are renamed and go", async () => {
    const at = scene({ "first.txt": "apple" });
    await found(at, "first", ["first.txt"]);
    at.put("new/deep/second.txt", "banana");
    await found(at, "second", ["second.txt"]);
    at.put("first.txt", "cherry tree");
    await found(at, "cherry", ["first.txt"], "search_content");
    await found(at, "apple", [], "search_content");
    renameSync(at.path("new/deep"), at.path("moved"));
    await found(at, "second", ["second.txt"]);
    expect((await at.results("search", { query: "second" })).results[0]?.path).to.equal(
      at.path("moved/second.txt"),
    );
    at.put("moved/third.txt", "in the moved folder");
    await found(at, "third", ["third.txt"]);
    rmSync(at.path("moved"), { recursive: true });
    await found(at, "banana", [], "search_content");
    await found(at, "third", []);
  });

  it("sees a folder that was removed and made again", async () => {
    const at = scene({ "box/one.txt": "x" });
    await found(at, "one", ["one.txt"]);
    rmSync(at.path("box"), { recursive: true });
    await found(at, "one", []);
    at.put("box/two.txt", "x");
    await found(at, "two", ["two.txt"]);
    at.put("box/three.txt", "x");
    await found(at, "three", ["three.txt"]);
  });

  it("sees what comes into a folder that was made again at once", async () => {
    const at = scene({ "box/inner/one.txt": "x" });
    await found(at, "one", ["one.txt"]);
    rmSync(at.path("box"), { recursive: true });
    at.put("box/inner/two.txt", "x");
    await setTimeout(1000);
    at.put("box/inner/three.txt", "x");
    await found(at, "three", ["three.txt"]);
    await found(at, "two", ["two.txt"]);
    await found(at, "one", []);
  });

  it("keeps the index over a restart, and sees what happened meanwhile", async () => {
    const at = scene({ "kept.txt": "kept words", "gone.txt": "gone words" });
    await found(at, "words", ["gone.txt", "kept.txt"].toSorted(), "search_content").catch(() => undefined);
    await indexes.close();
    rmSync(at.path("gone.txt"));
    at.put("late.txt", "late words");
    const names = await eventually(
      () => at.names("search_content", { query: "words" }),
      (got) => got.length === 2,
    );
    expect(names).to.have.members(["kept.txt", "late.txt"]);
  });

  it("begins anew with a file that is no index", async () => {
    const at = scene({ "kept.txt": "x" });
    await found(at, "kept", ["kept.txt"]);
    await indexes.close();
    const folder = at.settings["tools.system_search.index_path"] as string;
    writeFileSync(
      path.join(folder, "index.sqlite"),
      "this is no database at all, but a text that is long enough ".repeat(20),
    );
    await found(at, "kept", ["kept.txt"]);
  });

  it("keeps the index for the user's eyes only", async () => {
    const at = scene({ "a.txt": "x" });
    await found(at, "a.txt", ["a.txt"]);
    expect(statSync(at.settings["tools.system_search.index_path"] as string).mode & 0o777).to.equal(0o700);
  });

  it("lists what changed lately, the newest first", async () => {
    const at = scene({ "old.txt": "x", "an-hour.md": "x", "now.txt": "x" });
    const [now, hour] = [Date.now() / 1000, 3600];
    utimesSync(at.path("old.txt"), now - 48 * hour, now - 48 * hour);
    utimesSync(at.path("an-hour.md"), now - hour, now - hour);
    expect(await at.names("recent_files")).to.deep.equal(["now.txt", "an-hour.md"]);
    expect(await at.names("recent_files", { hours: 72, max_results: 5 })).to.deep.equal([
      "now.txt",
      "an-hour.md",
      "old.txt",
    ]);
    expect(await at.names("recent_files", { hours: 0.5 })).to.deep.equal(["now.txt"]);
    expect(await at.names("recent_files", { file_type: "source_code" })).to.deep.equal([]);
  });
});

describe("system_search: what is left out", function () {
  this.timeout(30_000);
  afterEach(() => indexes.close());

  it("A08, A25: never follows a link, nor finds what a link or a hard link leads to outside", async () => {
    const [outside, dataDirectory] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(outside, "treasure.txt"), "treasure words");
    writeFileSync(path.join(dataDirectory, "secrets.json"), "treasure token");
    const at = scene({ "here.txt": "treasure here" }, { dataDirectory });
    symlinkSync(outside, at.path("linked-folder"));
    symlinkSync(path.join(outside, "treasure.txt"), at.path("treasure-link.txt"));
    symlinkSync(at.root, at.path("loop"));
    linkSync(path.join(dataDirectory, "secrets.json"), at.path("treasure-hard.txt"));
    expect(await at.names("search_content", { query: "treasure" })).to.deep.equal(["here.txt"]);
    expect(await at.names("search", { query: "treasure" })).to.deep.equal(["here.txt"]);
    expect((await at.failure("file_info", { path: at.path("treasure-hard.txt") })).code).to.equal(
      "permission_denied",
    );
  });

  it("A25: never searches the service's data, even when a root holds it", async () => {
    const root = temporaryFolder();
    const dataDirectory = path.join(root, "service");
    mkdirSync(path.join(dataDirectory, "logs"), { recursive: true });
    writeFileSync(path.join(dataDirectory, "logs", "token.log"), "token words");
    const at = scene({ "mine.txt": "token words" }, { root, dataDirectory });
    expect(await at.names("search_content", { query: "token" })).to.deep.equal(["mine.txt"]);
    const open = scene({}, { root, dataDirectory, settings: { "tools.system_search.excluded": [] } });
    expect(await open.names("search", { query: "token" })).to.deep.equal(["mine.txt"]);
  });

  it("leaves out hidden, installed, cached, excluded and credential folders", async () => {
    const at = scene(
      {
        "open/fern.txt": "fern",
        ".ssh/fern.txt": "fern",
        ".fern-hidden.txt": "fern",
        "app/node_modules/fern/fern.js": "fern",
        "app/.git/fern": "fern",
        "cache/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55",
        "cache/fern.txt": "fern",
        "Keys/Vault/fern.txt": "fern",
        "private/fern.txt": "fern",
      },
      {},
    );
    const settings = { ...at.settings, "tools.system_search.excluded": [at.path("private")] };
    const preference = async (key: string) =>
      key === "authorization.protected_paths" ? [at.path("keys/vault")] : undefined;
    const { results } = await at.results("search", { query: "fern" }, { settings, preference });
    expect(results.map(({ path: file }) => file)).to.deep.equal([at.path("open/fern.txt")]);
    const { code } = await at.failure(
      "search",
      { query: "fern", directory: at.path(".ssh") },
      { settings, preference },
    );
    expect(code).to.equal("invalid_value");
  });

  // Root may look everywhere: there is nothing to be proved for it.
  if (process.getuid?.() !== 0)
    it("goes on where it may not look", async () => {
      const at = scene({ "shut/fern.txt": "fern", "open/fern.txt": "fern", "unreadable-fern.txt": "fern" });
      chmodSync(at.path("shut"), 0o000);
      chmodSync(at.path("unreadable-fern.txt"), 0o000);
      try {
        expect(await at.names("search_content", { query: "fern" })).to.deep.equal(["fern.txt"]);
        expect(await at.names("search", { query: "fern" })).to.have.members([
          "fern.txt",
          "unreadable-fern.txt",
        ]);
      } finally {
        chmodSync(at.path("shut"), 0o700);
      }
    });

  it("bounds what it keeps of a huge text", async () => {
    const at = scene({
      "huge.txt": Array.from({ length: 2_000_000 }, (_, index) => `w${index % 5000}`).join(" "),
    });
    await found(at, "w42", ["huge.txt"], "search_content");
    await indexes.close();
    const folder = at.settings["tools.system_search.index_path"] as string;
    const size = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    expect(size).to.be.below(2_000_000);
  });
});
