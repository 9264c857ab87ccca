export type { SyntaxFault } from "./find/syntax-fault.ts";
export type { Usage } from "./find/usage.ts";
export type { Language, UsageKind } from "./languages/language.ts";
export { languageOf, languages } from "./languages/languages.ts";
export { ParserThread } from "./parser-thread.ts";
export { readCode } from "./usages/read-code.ts";
export { symbolName } from "./usages/symbol-name.ts";
export {
  hasSymbols,
  usagesIn,
  type Findings,
  type FoundUsage,
  type SymbolSearch,
} from "./usages/usages-in.ts";
