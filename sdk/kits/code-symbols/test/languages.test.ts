import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { Grammars } from "../find/grammars.ts";
import { languageOf, languages } from "../languages/languages.ts";
import { parseSelector, selectorsOf, wordsOf } from "../languages/selector.ts";
import { expectedUsages, symbolIn } from "./expected-usages.ts";
import { samples } from "./usage-samples.ts";
import { usageFinder } from "../find/find-usages.ts";
import type { Usage } from "../find/usage.ts";
import type { Language } from "../languages/language.ts";
import { plainUsages } from "../find/plain-usages.ts";
import { Lines } from "../usages/lines.ts";

const letters = { definition: "d", call: "c", declaration: "e", reference: "r" } as const;
const folder = new URL("samples/", import.meta.url);
const sample = (file: string): string => readFileSync(new URL(`${file}.txt`, folder), "utf8");

const grammars = new Grammars();

/** Usages in the form of the table. */
function noted(text: string, usages: readonly Usage[]): readonly string[] {
  const lines = new Lines(text);
  const byLine = new Map<number, string>();
  for (const { at, kind } of usages) {
    const { line } = lines.position(at);
    byLine.set(line, (byLine.get(line) ?? "") + letters[kind]);
  }
  return [...byLine].map(([line, kinds]) => `${line}${kinds}`);
}

describe("usages in each language", function () {
  this.timeout(30_000);

  for (const [file, expected] of Object.entries(expectedUsages)) {
    it(`T09: tells definitions, declarations, calls and references apart in ${file}`, async () => {
      const [text, language, symbol] = [sample(file), languageOf(file), symbolIn(file)];
      const usages =
        language === undefined
          ? plainUsages(file, text, symbol)
          : await grammars.usages(language, text, symbol);
      expect(noted(text, usages)).to.deep.equal(expected.split(" "));
    });
  }

  for (const [file, marked] of Object.entries(samples)) {
    it(`T09: tells what foo is everywhere in ${file}`, async () => {
      const lines = marked
        .trimStart()
        .split("\n")
        .map((line) => /^(.*?)\s*(?:\/\/|#|\/\*)([dcer]*)(?:\*\/)?$/.exec(line) ?? [line, line, ""]);
      const text = lines.map(([, code]) => code).join("\n");
      const language = languageOf(file);
      expect(noted(text, language ? await grammars.usages(language, text, "foo") : [])).to.deep.equal(
        lines.flatMap(([, , marks = ""], index) => (marks === "" ? [] : [`${index + 1}${marks}`])),
      );
    });
  }

  it("has a sample for every language, and expects something of every sample", () => {
    const files = Object.keys(expectedUsages);
    expect(new Set(files.map(languageOf))).to.include.all.keys(languages);
    expect(readdirSync(folder).toSorted()).to.deep.equal(files.map((file) => `${file}.txt`).toSorted());
  });

  it("knows at least the languages that are asked for", () => {
    const asked = [
      "TypeScript",
      "TSX",
      "JavaScript",
      "Python",
      "Go",
      "Rust",
      "Java",
      "C",
      "C++",
      "C#",
      "Ruby",
      "PHP",
    ];
    expect(languages.map(({ name }) => name)).to.include.members(asked);
  });
});

const lists = [
  "definition",
  "declaration",
  "call",
  "reference",
  "member",
  "through",
  "names",
  "unread",
] as const;

const entriesOf = (language: Language) =>
  lists.flatMap((list) => wordsOf(language[list]).map((word) => ({ list, word })));

/** The entries of a language's lists without which a sample would come out otherwise. */
async function neededEntries(language: Language): Promise<readonly string[]> {
  const { parser } = await grammars.reader(language);
  const files = Object.keys(expectedUsages).filter((file) => languageOf(file) === language);
  const parsed = files.map((file) => ({
    text: sample(file),
    tree: parser.parse(sample(file)),
    symbol: symbolIn(file),
  }));
  const found = (changed: Language): string =>
    JSON.stringify(
      parsed.map(({ tree, text, symbol }) => (tree === null ? [] : usageFinder(changed)(tree, text, symbol))),
    );
  const whole = found(language);
  const without = ({ list, word }: ReturnType<typeof entriesOf>[number]): Language => {
    const words = wordsOf(language[list]).filter((other) => other !== word);
    return { ...language, [list]: words.join(" ") };
  };
  return entriesOf(language)
    .filter((entry) => found(without(entry)) !== whole)
    .map(({ list, word }) => `${list}: ${word}`);
}

describe("the tables of the languages", function () {
  this.timeout(30_000);

  for (const language of languages) {
    it(`speak of nodes and fields that the grammar of ${language.name} has`, async () => {
      const { language: grammar } = (await grammars.reader(language)).parser;
      const types = new Set(
        Array.from({ length: grammar?.nodeTypeCount ?? 0 }, (_, id) => grammar?.nodeTypeForId(id)),
      );
      const fields = new Set(grammar?.fields);
      const selectors = selectorsOf(language);
      const named = selectors.flatMap(({ parent, outer, inner }) => [
        parent,
        ...outer,
        ...(inner === undefined ? [] : [inner]),
      ]);
      const nodes = [...named, ...wordsOf(language.names), ...wordsOf(language.unread)];
      expect(nodes.filter((type) => !types.has(type))).to.deep.equal([]);
      const filled = selectors.map(({ field }) => field).filter((field) => field !== "" && field !== "0");
      expect(filled.filter((field) => !fields.has(field))).to.deep.equal([]);
      const parts = selectors.flatMap(({ condition }) => condition?.part ?? []);
      expect(parts.filter((part) => !fields.has(part) && !types.has(part))).to.deep.equal([]);
    });
  }

  it("hold nothing that no sample needs", async () => {
    const needed = new Set<string>();
    for (const language of languages) for (const entry of await neededEntries(language)) needed.add(entry);
    const entries = languages.flatMap((language) =>
      entriesOf(language).map(({ list, word }) => `${list}: ${word}`),
    );
    expect([...new Set(entries)].filter((entry) => !needed.has(entry))).to.deep.equal([]);
  });

  it("refuse what is no selector", () => {
    expect(() => parseSelector("a.b.c", "call")).to.throw("no selector");
  });
});
