import type { Language } from "./language.ts";

export const css: Language = {
  name: "CSS",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-css.wasm",
  extensions: "css",
  names: `
    identifier id_name keyframes_name property_name plain_value function_name tag_name attribute_name`,
  definition: "class_selector id_selector keyframes_statement",
  declaration: "declaration<property_name",
  call: "call_expression<function_name",
  through: "class_name",
};
