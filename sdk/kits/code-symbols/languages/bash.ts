import type { Language } from "./language.ts";

export const bash: Language = {
  name: "Shell",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm",
  extensions: "sh bash zsh",
  names: "word variable_name",
  definition: "function_definition.name variable_assignment.name for_statement.variable",
  declaration: "declaration_command",
  call: "command.name",
  through: "command_name",
};
