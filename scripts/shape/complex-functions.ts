import { Linter } from "eslint";
import tseslint from "typescript-eslint";
import type { Source } from "./product.ts";

/** Functions whose cyclomatic complexity, as ESLint counts it, is above the bound: `file:line: message`. */
export function complexFunctions(sources: readonly Source[], bound: number): readonly string[] {
  const linter = new Linter();
  const config: Linter.Config = {
    files: ["**/*.ts", "**/*.mjs"],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { noInlineConfig: true },
    rules: { complexity: ["error", bound] },
  };
  return sources.flatMap(({ file, text }) =>
    linter
      .verify(text, [config], file)
      .filter(({ ruleId }) => ruleId === "complexity")
      .map(({ line, message }) => `${file}:${line}: ${message}`),
  );
}
