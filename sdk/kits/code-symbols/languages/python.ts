import type { Language } from "./language.ts";

export const python: Language = {
  name: "Python",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
  extensions: "py pyi pyw",
  names: "identifier",
  definition: `
    function_definition.name class_definition.name assignment.left named_expression.name for_statement.left
    for_in_clause.left as_pattern_target as_pattern_target/tuple splat_pattern case_pattern/dotted_name[!.]
    type_alias_statement.left`,
  declaration: `
    class_definition|function_definition/type_parameter parameters lambda_parameters typed_parameter
    default_parameter.name typed_default_parameter.name aliased_import.alias`,
  call: "call.function",
  member: "parenthesized_expression",
  through: `
    attribute.attribute pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern
    type constrained_type.0`,
};
