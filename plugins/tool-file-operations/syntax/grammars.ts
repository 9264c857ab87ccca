import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Tree } from "web-tree-sitter";
import type { Language } from "./languages.ts";

const require = createRequire(import.meta.url);

/** Parses code; the parser and each grammar are loaded when they are first needed. */
export class Grammars {
  readonly #parser = loadParser();
  readonly #grammars = new Map<string, ReturnType<typeof loadGrammar>>();

  /** Lends the tree to `use` and frees it afterwards. Rejects when the grammar can not be loaded. */
  async parse<T>(text: string, { grammar }: Language, use: (tree: Tree) => T): Promise<T> {
    const parser = await this.#parser;
    const loaded = this.#grammars.get(grammar) ?? loadGrammar(grammar);
    this.#grammars.set(grammar, loaded);
    parser.setLanguage(await loaded);
    const tree = parser.parse(text);
    if (tree === null) throw new Error(`The grammar ${grammar} gave no tree.`);
    try {
      return use(tree);
    } finally {
      tree.delete();
    }
  }
}

async function loadParser() {
  const { Parser } = await import("web-tree-sitter");
  await Parser.init();
  return new Parser();
}

async function loadGrammar(name: string) {
  const { Language } = await import("web-tree-sitter");
  return Language.load(
    await readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  );
}
