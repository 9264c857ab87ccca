import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

const isProduct = (file: string): boolean =>
  /^(core|sdk|plugins|examples|scripts)\//.test(file) && !/(^|\/)(test|testing)\//.test(file);

/** Everything that is written for use: sources that git knows or would take, without tests and test kits. */
export function productSources(): readonly Source[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.mjs"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = listed.split("\n").filter((file) => isProduct(file) && existsSync(path.join(root, file)));
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
  });
}
