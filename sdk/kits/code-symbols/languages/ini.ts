import type { Language } from "./language.ts";

export const ini: Language = {
  name: "INI",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-ini.wasm",
  extensions: "ini",
  names: "setting_name",
};
