import type { Rules } from "./rules.ts";
import { cSharp } from "./rules/c-sharp.ts";
import { cpp } from "./rules/cpp.ts";
import { css } from "./rules/css.ts";
import { go } from "./rules/go.ts";
import { java } from "./rules/java.ts";
import { php } from "./rules/php.ts";
import { python } from "./rules/python.ts";
import { ruby } from "./rules/ruby.ts";
import { rust } from "./rules/rust.ts";
import { bash, powershell } from "./rules/shell.ts";
import { typescript } from "./rules/typescript.ts";

export interface Language {
  readonly name: string;
  /** The grammar's file in @vscode/tree-sitter-wasm, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string;
  readonly extensions: readonly string[];
  readonly rules: Rules;
  /** The grammar does not know all that the language allows (macros, for one), so its errors are warnings. */
  readonly isApproximate?: boolean;
}

/** Every language whose code is read by a grammar. */
export const languages: readonly Language[] = [
  { name: "TypeScript", grammar: "typescript", extensions: ["ts", "mts", "cts"], rules: typescript },
  { name: "TSX", grammar: "tsx", extensions: ["tsx"], rules: typescript },
  { name: "JavaScript", grammar: "javascript", extensions: ["js", "mjs", "cjs", "jsx"], rules: typescript },
  { name: "Python", grammar: "python", extensions: ["py", "pyi"], rules: python },
  { name: "Go", grammar: "go", extensions: ["go"], rules: go },
  { name: "Rust", grammar: "rust", extensions: ["rs"], rules: rust },
  { name: "Java", grammar: "java", extensions: ["java"], rules: java },
  { name: "C", grammar: "cpp", extensions: ["c", "h"], rules: cpp, isApproximate: true },
  {
    name: "C++",
    grammar: "cpp",
    extensions: ["cpp", "cc", "cxx", "hpp", "hh", "hxx"],
    rules: cpp,
    isApproximate: true,
  },
  { name: "C#", grammar: "c-sharp", extensions: ["cs"], rules: cSharp },
  { name: "Ruby", grammar: "ruby", extensions: ["rb", "rake", "gemspec"], rules: ruby },
  { name: "PHP", grammar: "php", extensions: ["php"], rules: php },
  { name: "Shell", grammar: "bash", extensions: ["sh", "bash"], rules: bash },
  {
    name: "PowerShell",
    grammar: "powershell",
    extensions: ["ps1", "psm1"],
    rules: powershell,
    isApproximate: true,
  },
  { name: "CSS", grammar: "css", extensions: ["css"], rules: css },
  { name: "INI", grammar: "ini", extensions: ["ini"], rules: {} },
];

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** The language of a file by the end of its name. */
export const languageOf = (path: string): Language | undefined =>
  byExtension.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
