import type { Language } from "./language.ts";

export const powershell: Language = {
  name: "PowerShell",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm",
  extensions: "ps1 psm1",
  isApproximate: true,
  hasHugeParser: true,
  names: "function_name simple_name variable type_identifier command_name",
  definition: `
    function_statement class_statement class_method_definition class_property_definition script_parameter`,
  call: "command.command_name invokation_expression<member_name",
  through: "member_name",
};
