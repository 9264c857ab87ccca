import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Parser as TreeParser, Tree } from "web-tree-sitter";
import { usageFinder, type Usage, type UsageFinder } from "./find-usages.ts";
import type { Language } from "./language.ts";

const require = createRequire(import.meta.url);

interface Reader {
  readonly parser: TreeParser;
  readonly find: UsageFinder;
}

/** Reads code by grammars; the parser and each grammar are loaded when they are first needed. */
export class Grammars {
  readonly #readers = new Map<Language, Promise<Reader>>();

  /** Rejects when the grammar cannot be loaded or gives up. */
  async usages(language: Language, text: string, symbol: string): Promise<readonly Usage[]> {
    const { parser, find } = await this.reader(language);
    const tree: Tree | null = parser.parse(text);
    if (tree === null) throw new Error(`The grammar of ${language.name} gave no tree.`);
    try {
      return find(tree, text, symbol);
    } finally {
      tree.delete();
    }
  }

  reader(language: Language): Promise<Reader> {
    const known = this.#readers.get(language) ?? openReader(language);
    this.#readers.set(language, known);
    return known;
  }
}

async function openReader(language: Language): Promise<Reader> {
  const { Language: Grammar, Parser } = await import("web-tree-sitter");
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Grammar.load(await readFile(require.resolve(language.grammar))));
  return { parser, find: usageFinder(language) };
}
