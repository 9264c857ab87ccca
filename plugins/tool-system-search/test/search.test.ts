import { expect } from "chai";
import { indexes } from "../service/indexes.ts";
import { scene, type Scene } from "./scene.ts";

describe("system_search.search", () => {
  let at: Scene;

  before(() => {
    at = scene({
      "a/my budget.txt": "content",
      "b/budget": "content",
      "budget-2024.txt": "content",
      "letter.txt": "about the budget of the town",
      "other.txt": "nothing",
      "Müller/Übersicht Größe.TXT": "content",
      "Cafe\u0301 menu.txt": "content",
      "東京の写真.jpg": "content",
      "talk [draft] 100%.pptx": "content",
      "talk.pdf": "content",
      "talk.ts": "content",
      "x_1.txt": "content",
    });
  });

  after(() => indexes.close());

  it("finds by name: the exact one first, then those that begin so, then the others, then what has the words inside", async () => {
    expect(await at.names("search", { query: "Budget" })).to.deep.equal([
      "budget",
      "budget-2024.txt",
      "my budget.txt",
      "letter.txt",
    ]);
  });

  it("answers with path, size and time of each", async () => {
    const { results, totalCount } = await at.results("search", { query: "letter.txt" });
    expect(totalCount).to.equal(1);
    expect(results[0]).to.include({ name: "letter.txt", path: at.path("letter.txt"), size: 28 });
    expect(new Date(results[0]!.modified).toISOString()).to.equal(results[0]!.modified);
  });

  for (const [query, name] of [
    ["ubersicht größe", "Übersicht Größe.TXT"],
    ["café", "Cafe\u0301 menu.txt"],
    ["京の写", "東京の写真.jpg"],
    ["x_", "x_1.txt"],
    ["[draft]", "talk [draft] 100%.pptx"],
    ["100%", "talk [draft] 100%.pptx"],
    ["x_?.txt", "x_1.txt"],
    ["*[draft]*", "talk [draft] 100%.pptx"],
    ['"my budget"', "my budget.txt"],
  ] as const) {
    it(`finds ${name} by ${query}`, async () => {
      expect(await at.names("search", { query })).to.deep.equal([name]);
    });
  }

  for (const [type, names] of [
    ["presentation", ["talk [draft] 100%.pptx"]],
    ["pdf", ["talk.pdf"]],
    ["document", ["talk.pdf"]],
    ["source_code", ["talk.ts"]],
    ["video", []],
  ] as const) {
    it(`finds talks that are ${type} only`, async () => {
      expect(await at.names("search", { query: "talk", file_type: type })).to.have.members(names);
    });
  }

  it("looks below a folder only, and counts what it does not list", async () => {
    expect(await at.names("search", { query: "budget", directory: at.path("a") })).to.deep.equal([
      "my budget.txt",
    ]);
    const { results, totalCount } = await at.results("search", { query: "budget", max_results: 2 });
    expect([results.length, totalCount]).to.deep.equal([2, 4]);
  });

  it("takes a query's signs for themselves", async () => {
    for (const query of [
      '"',
      "' OR 1=1 --",
      "name:x",
      "*",
      "NEAR(a b)",
      "a AND",
      "(",
      "\u0000",
      "-x",
      "**********a*********b",
      "",
      "word ".repeat(5000),
      "(".repeat(5000),
    ])
      expect(await at.results("search", { query, max_results: 1 }), query).to.have.keys(
        "results",
        "totalCount",
      );
  });

  it("says which folders are searched when another is named", async () => {
    const outside = await at.failure("search", { query: "x", directory: "/usr" });
    expect([outside.code, outside.hint]).to.satisfy(
      ([code, hint]: [string, string]) => code === "invalid_value" && hint.includes(at.root),
    );
    expect((await at.failure("search", { query: "x", directory: at.path("none") })).code).to.equal(
      "file_not_found",
    );
  });

  it("looks into all roots that stand below the folder", async () => {
    expect(await at.names("search", { query: "talk.ts", directory: "/" })).to.deep.equal(["talk.ts"]);
  });

  it("stops waiting when the call is cancelled", async () => {
    const abort = new AbortController();
    const asked = at.run("search", { query: "x" }, { signal: abort.signal });
    abort.abort(new Error("cancelled"));
    expect(await asked.catch((error: unknown) => (error as Error).message)).to.equal("cancelled");
  });
});
