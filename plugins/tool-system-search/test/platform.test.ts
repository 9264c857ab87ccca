import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import { ToolError, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { Boundaries } from "../index/boundaries.ts";
import { askPlatform } from "../platform/ask-platform.ts";
import { spotlightQuery } from "../platform/mdfind.ts";
import { indexes } from "../service/indexes.ts";
import { scene, type Scene } from "./scene.ts";

const platform = { "tools.system_search.indexer": "platform" };
const files = {
  "budget.txt": "words about ferns",
  "a/my Budget 2024.ods": "x",
  "a/[budget].txt": "x",
  ".hidden/budget.txt": "x",
  "node_modules/budget.js": "x",
  "-budget.md": "x",
  "überbudget.txt": "x",
};

describe("system_search with plocate", function () {
  this.timeout(30_000);
  let at: Scene;
  let spawn: ToolContext["spawn"];

  before(function () {
    if (process.platform !== "linux") return this.skip();
    at = scene(files, { settings: platform });
    const database = path.join(temporaryFolder(), "plocate.db");
    const options = [
      "--require-visibility",
      "no",
      "--prunepaths",
      "",
      "--prunefs",
      "",
      "--database-root",
      at.root,
      "--output",
      database,
    ];
    try {
      execFileSync("updatedb.plocate", options, {
        env: { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
        stdio: "ignore",
      });
    } catch {
      console.log("      (the Debian package plocate is not installed)");
      return this.skip();
    }
    spawn = (program, args, given) => at.context.spawn(program, ["--database", database, ...args], given);
  });

  after(() => indexes.close());

  const names = async (args: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
    (await at.results("search", args, { spawn })).results.map(({ path: file }) =>
      path.relative(at.root, file),
    );

  it("finds by name, inside of what is searched", async () => {
    expect(await names({ query: "budget" })).to.have.members([
      "budget.txt",
      "a/my Budget 2024.ods",
      "a/[budget].txt",
      "-budget.md",
      "überbudget.txt",
    ]);
    expect((await names({ query: "budget" }))[0]).to.equal("budget.txt");
    expect((await at.run("search", { query: "budget" }, { spawn })).message).to.contain("Found by plocate");
  });

  for (const [query, found] of [
    ["my 2024", ["a/my Budget 2024.ods"]],
    ["[budget]", ["a/[budget].txt"]],
    ["-budget", ["-budget.md"]],
    ["b*.txt", ["budget.txt"]],
    ["--help", []],
    ["zzz", []],
  ] as const) {
    it(`finds ${found.join(" and ") || "nothing"} by ${query}`, async () => {
      expect(await names({ query })).to.have.members(found);
    });
  }

  it("keeps to a folder and a type", async () => {
    expect(await names({ query: "budget", directory: at.path("a"), file_type: "spreadsheet" })).to.deep.equal(
      ["a/my Budget 2024.ods"],
    );
  });

  it("asks the own index for what plocate does not know", async () => {
    const { data, message } = await at.run("search_content", { query: "ferns" }, { spawn });
    expect(data).to.have.nested.property("results[0].name", "budget.txt");
    expect(message).to.contain("own index");
  });

  it("asks the own index when plocate is not there", async () => {
    const missing: ToolContext["spawn"] = async () => {
      throw new ToolError("unavailable", "plocate is not installed");
    };
    const { data, message } = await at.run("search", { query: "überbudget" }, { spawn: missing });
    expect(data).to.have.nested.property("results[0].name", "überbudget.txt");
    expect(message).to.contain("not installed");
  });
});

describe("system_search with mdfind", () => {
  for (const [query, asked] of [
    [
      { kind: "names", text: 'tax "2023' },
      String.raw`kMDItemFSName == "*tax*"cd && kMDItemFSName == "*2023*"cd`,
    ],
    [{ kind: "content", text: String.raw`a"b" \* c` }, undefined],
    [
      { kind: "content", text: "fern* leaf" },
      'kMDItemTextContent == "fern*"cd && kMDItemTextContent == "leaf*"cd',
    ],
    [
      { kind: "metadata", attribute: "author", value: 'x" || true || "' },
      String.raw`kMDItemAuthors == "*x\" || true || \"*"cd`,
    ],
    [{ kind: "metadata", attribute: "width", value: "> 1920" }, "kMDItemPixelWidth > 1920"],
    [{ kind: "metadata", attribute: "kMDItemCity", value: "Rome" }, 'kMDItemCity == "*Rome*"cd'],
    [{ kind: "recent", since: 0 }, "kMDItemFSContentChangeDate >= $time.iso(1970-01-01T00:00:00.000Z)"],
  ] as const) {
    it(`asks ${JSON.stringify(query)}`, () => {
      const spoken = spotlightQuery({ ...query, limit: 1 });
      if (asked !== undefined) expect(spoken).to.equal(asked);
      // Outside of texts nothing is left of the question but names and operators.
      expect(spoken?.replaceAll(/"(\\.|[^"\\])*"/g, "")).to.match(/^[\w\s=|&()><.:$-]*(cd)?$/);
    });
  }

  it("asks in each root, and keeps to what is searched", async () => {
    const at = scene({ "a.txt": "x", ".ssh/a.txt": "x" });
    const calls: (readonly string[])[] = [];
    const spawn = async (program: string, args: readonly string[]): Promise<SpawnResult> => {
      calls.push([program, ...args]);
      const stdout = [at.path("a.txt"), at.path(".ssh/a.txt"), "/etc/passwd", ""].join("\0");
      return { exitCode: 0, stdout, stderr: "", timedOut: false, truncated: false };
    };
    const boundaries = new Boundaries({ roots: [at.root], closed: [] });
    const { answer } = await askPlatform(
      { ...at.context, spawn },
      boundaries,
      { kind: "names", text: "a", limit: 9 },
      "darwin",
    );
    expect(calls).to.deep.equal([["mdfind", "-0", "-onlyin", at.root, 'kMDItemFSName == "*a*"cd']]);
    expect(answer?.candidates.map((each) => each.path)).to.deep.equal([at.path("a.txt")]);
  });
});
