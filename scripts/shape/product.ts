import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

export const root = path.resolve(import.meta.dirname, "../..");

/** A source file of the product. */
export interface Source {
  /** Relative to the root of the repository, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

const rooms = ["core", "sdk", "plugins", "examples", "scripts"];

const skipped = /^(test|testing|node_modules|dist|\.dist-.*)$/;

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isFile() && /\.(ts|mjs)$/.test(entry.name)) yield file;
    if (entry.isDirectory() && !skipped.test(entry.name)) yield* filesIn(file);
  }
}

/** Everything that is written for use: sources without tests, test kits and what the build makes. */
export function productSources(): readonly Source[] {
  const files = rooms.flatMap((room) => [...filesIn(room)]).sort();
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
  });
}
