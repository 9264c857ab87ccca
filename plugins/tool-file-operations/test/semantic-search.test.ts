import { expect } from "chai";
import type { ToolContext } from "@pergola/sdk";
import { chunksOf } from "../semantic/chunks.ts";
import { queryTerms } from "../semantic/query-terms.ts";
import type { FileVectors } from "../semantic/vector-cache.ts";
import { wordHits } from "../semantic/word-hits.ts";
import { workspace } from "./context.ts";

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly content: string;
  readonly relevance: number;
  readonly context: string;
}

const files = {
  "auth/login.ts":
    "// checks a password\nexport function verifyPassword(user: string) {\n  return hash(user);\n}\n",
  "mail/send.ts": "export async function sendEmail(to: string) {\n  await smtp.deliver(to);\n}\n",
  "docs/guide.md": "# Guide\n\nHow passwords are verified when users sign in.\n",
  "other.txt": "nothing of interest\n",
};

/** An embedder for which a text means the animals in it. */
const animals = ["cat", "dog", "kitten", "puppy"];
const vectorOf = (text: string): Float32Array => {
  const [cat = 0, dog = 0, kitten = 0, puppy = 0] = animals.map(
    (animal) => text.toLowerCase().split(animal).length - 1,
  );
  const [x, y] = [cat + kitten, dog + puppy];
  const length = Math.hypot(x, y) || 1;
  return Float32Array.of(x / length, y / length, x + y === 0 ? 1 : 0);
};

function embedder() {
  const asked: string[] = [];
  const embed: ToolContext["embed"] = async (texts) => {
    asked.push(...texts);
    return texts.map(vectorOf);
  };
  return { asked, embed };
}

describe("semantic_search", () => {
  it("finds places by the words of the query, in names of code and in paths too", async () => {
    const { data, run } = workspace(files);
    const hits = await data<readonly Hit[]>("semantic_search", { query: "where are passwords verified?" });
    expect(hits.map(({ file }) => file)).to.have.members(["auth/login.ts", "docs/guide.md"]);
    expect(hits.find(({ file }) => file === "auth/login.ts")).to.deep.include({
      line: 2,
      content: "export function verifyPassword(user: string) {",
    });
    for (const { relevance } of hits) expect(relevance).to.be.within(0.001, 1);
    expect((await run("semantic_search", { query: "password" })).message).to.contain("words alone");
    expect((await data<readonly Hit[]>("semantic_search", { query: "auth" }))[0]?.file).to.equal(
      "auth/login.ts",
    );
  });

  it("shows the lines round the best one", async () => {
    const { data } = workspace({
      "a.txt": Array.from(
        { length: 20 },
        (_, index) => `line ${index + 1}${index === 9 ? " zebra" : ""}`,
      ).join("\n"),
    });
    const [hit] = await data<readonly Hit[]>("semantic_search", { query: "zebra" });
    expect(hit).to.include({
      line: 10,
      content: "line 10 zebra",
      context: "line 7\nline 8\nline 9\nline 10 zebra\nline 11\nline 12\nline 13",
    });
  });

  it("puts the better place first and keeps to maxResults", async () => {
    const { data } = workspace({ "a.txt": "red\n", "b.txt": "red green blue\n", "c.txt": "blue\n" });
    const hits = await data<readonly Hit[]>("semantic_search", { query: "red green blue", maxResults: 2 });
    expect(hits).to.have.length(2);
    expect(hits[0]?.file).to.equal("b.txt");
    expect(hits[0]?.relevance).to.be.above(hits[1]?.relevance ?? 1);
  });

  it("searches in a folder, and leaves out ignored and binary files", async () => {
    const { data } = workspace({
      ".gitignore": "out\n",
      "out/a.txt": "zebra",
      "b.bin": "zebra\0",
      "sub/c.txt": "zebra",
      "d.txt": "zebra",
    });
    const found = async (args: object) =>
      (await data<readonly Hit[]>("semantic_search", { query: "zebra", ...args })).map(({ file }) => file);
    expect(await found({})).to.have.members(["d.txt", "sub/c.txt"]);
    expect(await found({ directory: "sub" })).to.deep.equal(["sub/c.txt"]);
  });

  it("finds nothing where nothing fits, and in an empty folder", async () => {
    expect(await workspace(files).data("semantic_search", { query: "quantum chromodynamics" })).to.deep.equal(
      [],
    );
    expect(await workspace().data("semantic_search", { query: "x" })).to.deep.equal([]);
  });

  it("is also called search_index", async () => {
    expect(await workspace(files).data<readonly Hit[]>("search_index", { query: "smtp" })).to.have.length(1);
  });

  it("T10: reads every file, not the first hundred", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, "plain\n"]));
    const { data } = workspace({ ...many, "z/last.txt": "zebra\n" });
    expect((await data<readonly Hit[]>("semantic_search", { query: "zebra" }))[0]?.file).to.equal(
      "z/last.txt",
    );
  });

  it("T25: finds by meaning where no word is the same", async () => {
    const { embed } = embedder();
    const { data, run } = workspace(
      { "a.txt": "a kitten purrs\n", "b.txt": "a puppy barks\n", "c.txt": "a stone lies\n" },
      { embed },
    );
    const hits = await data<readonly Hit[]>("semantic_search", { query: "cat" });
    expect(hits.map(({ file }) => file)).to.deep.equal(["a.txt"]);
    expect(hits[0]?.relevance).to.be.above(0.9);
    expect((await run("semantic_search", { query: "cat" })).message).to.contain("meaning");
  });

  it("embeds what has not changed only once", async () => {
    const { asked, embed } = embedder();
    const { run, put } = workspace({ "a.txt": "a kitten\n", "b.txt": "a puppy\n" }, { embed });
    await run("semantic_search", { query: "cat" });
    expect(asked).to.have.length(3);
    await run("semantic_search", { query: "dog" });
    expect(asked).to.have.length(4);
    put("b.txt", "a big puppy\n");
    await run("semantic_search", { query: "dog" });
    expect(asked.slice(4)).to.deep.equal(["dog", "a big puppy\n"]);
  });

  it("embeds at most 64 places for one search", async () => {
    const { asked, embed } = embedder();
    const { run } = workspace(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}.txt`, `kitten ${index}\n`])),
      {
        embed,
      },
    );
    await run("semantic_search", { query: "cat" });
    expect(asked).to.have.length(65);
    await run("semantic_search", { query: "cat" });
    expect(asked).to.have.length(65 + 37);
  });

  it("keeps the vectors of at most 5,000 files, dropping the oldest", async () => {
    const { embed } = embedder();
    const { run, context } = workspace({ "a.txt": "a kitten\n" }, { embed });
    const vectors = context.collection<FileVectors>("vectors");
    for (let index = 0; index < 5000; index += 1)
      await vectors.put({ id: `old${index}`, used: index, chunks: {} });
    await run("semantic_search", { query: "cat" });
    expect(await vectors.count({})).to.equal(4501);
    expect(await vectors.get("old499")).to.equal(undefined);
    expect(await vectors.get("old500")).to.include({ used: 500 });
  });

  it("goes on with words when the embedder fails", async () => {
    const { data, context } = workspace(files, {
      embed: async () => {
        throw new Error("no model");
      },
    });
    expect(await data<readonly Hit[]>("semantic_search", { query: "smtp" })).to.have.length(1);
    expect(context.logged.map(({ level }) => level)).to.deep.equal(["warn"]);
  });
});

describe("queryTerms", () => {
  for (const [query, terms] of [
    ["Where is the verifyPassword function?", ["verif", "password", "funct"]],
    ["connecting connection connections", ["connect"]],
    ["what is this", ["what", "is", "this"]],
    ["größe 日本語", ["größ", "日本語"]],
    ["", []],
  ] as const) {
    it(`reads ${JSON.stringify(query)}`, () => {
      expect(queryTerms(query)).to.deep.equal(terms);
    });
  }
});

describe("wordHits", () => {
  it("counts beginnings of words, humps of names too", () => {
    expect(wordHits("parseDate dateParse update_date DATE antedate", ["date"])).to.deep.equal([4]);
    expect(wordHits("nothing", ["date"])).to.equal(undefined);
    expect(wordHits("あ日本い", ["日本"])).to.deep.equal([1]);
  });
});

describe("chunksOf", () => {
  it("covers every line that is not blank, once and in order", () => {
    const text = Array.from({ length: 200 }, (_, index) =>
      index % 11 === 0 ? "" : `line ${index + 1} ${"x".repeat(index % 90)}`,
    ).join("\n");
    const lines = chunksOf(text).flatMap(({ firstLine, text: chunk }) =>
      chunk
        .split("\n")
        .map((line, index) => [firstLine + index, line] as const)
        .filter(([, line]) => line !== ""),
    );
    const expected = text
      .split("\n")
      .map((line, index) => [index + 1, line] as const)
      .filter(([, line]) => line !== "");
    expect(lines).to.deep.equal(expected);
  });

  it("keeps chunks small", () => {
    for (const { text } of chunksOf(`${"word ".repeat(30)}\n`.repeat(100) + "x".repeat(100_000)))
      expect(text.length).to.be.at.most(4000);
    expect(chunksOf("\n\n\n")).to.deep.equal([]);
  });
});
