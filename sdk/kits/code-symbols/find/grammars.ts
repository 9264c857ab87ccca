import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { Parser, Tree } from "web-tree-sitter";
import type { Language } from "../languages/language.ts";
import { findErrors } from "./find-errors.ts";
import type { SyntaxFault } from "./syntax-fault.ts";
import { usageFinder, type UsageFinder } from "./find-usages.ts";
import type { Usage } from "./usage.ts";

const require = createRequire(import.meta.url);

interface Reader {
  readonly parser: Parser;
  readonly find: UsageFinder;
}

/**
 * Parses code in the calling thread. The parser and each grammar are loaded when they are first needed.
 * Every method rejects when the grammar cannot be loaded or returns no tree.
 */
export class Grammars {
  readonly #readers = new Map<Language, Promise<Reader>>();

  /** The usages of a symbol in a text, in order. */
  async usages(language: Language, text: string, symbol: string): Promise<readonly Usage[]> {
    const { parser, find } = await this.reader(language);
    return withTree(parser, text, (tree) => find(tree, text, symbol));
  }

  /** The syntax errors of a text, at most 20. */
  async errors(language: Language, text: string): Promise<readonly SyntaxFault[]> {
    const { parser } = await this.reader(language);
    return withTree(parser, text, ({ rootNode }) => findErrors(rootNode));
  }

  reader(language: Language): Promise<Reader> {
    const known = this.#readers.get(language) ?? openReader(language);
    this.#readers.set(language, known);
    return known;
  }
}

async function openReader(language: Language): Promise<Reader> {
  const { Language: Grammar, Parser: TreeParser } = await import("web-tree-sitter");
  await TreeParser.init();
  const parser = new TreeParser();
  const code = await readFile(require.resolve(language.grammar));
  const load = () => Grammar.load(code);
  parser.setLanguage(await (language.hasHugeParser ? withoutOptimizing(load) : load()));
  return { parser, find: usageFinder(language) };
}

/** WebAssembly that is loaded meanwhile stays as V8 first compiles it: slower, but ready at once. */
async function withoutOptimizing<T>(load: () => Promise<T>): Promise<T> {
  setFlagsFromString("--liftoff-only");
  try {
    return await load();
  } finally {
    setFlagsFromString("--no-liftoff-only");
  }
}

/** Lends the tree to `use` and frees it afterwards. */
function withTree<T>(parser: Parser, text: string, use: (tree: Tree) => T): T {
  const tree = parser.parse(text);
  if (tree === null) throw new Error("The grammar returned no tree.");
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}
