import type { Language } from "./language.ts";

export const go: Language = {
  name: "Go",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm",
  extensions: "go",
  names: "identifier field_identifier type_identifier package_identifier",
  definition: `
    function_declaration.name method_declaration.name type_spec.name type_alias.name var_spec.name
    const_spec.name field_declaration.name short_var_declaration.left range_clause.left
    type_switch_statement.alias receive_statement.left`,
  declaration: `
    method_elem.name parameter_declaration.name variadic_parameter_declaration.name
    type_parameter_declaration.name import_spec.name package_clause`,
  call: "call_expression.function type_conversion_expression.type",
  member: "selector_expression.field generic_type.type parenthesized_expression",
  through: "expression_list",
};
