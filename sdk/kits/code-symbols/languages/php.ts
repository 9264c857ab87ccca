import type { Language } from "./language.ts";

export const php: Language = {
  name: "PHP",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm",
  extensions: "php phtml",
  names: "name",
  definition: `
    namespace_definition.name function_definition.name class_declaration.name interface_declaration.name
    trait_declaration.name enum_declaration.name enum_case.name method_declaration[body].name
    property_element.name property_promotion_parameter.name static_variable_declaration.name const_element.0
    assignment_expression.left<variable_name foreach_statement<variable_name
    foreach_statement/pair<variable_name`,
  declaration: `
    method_declaration.name simple_parameter.name variadic_parameter.name namespace_use_clause.alias
    global_declaration anonymous_function_use_clause catch_clause.name`,
  call: `
    function_call_expression.function member_call_expression.name nullsafe_member_call_expression.name
    scoped_call_expression.name object_creation_expression`,
  reference: "foreach_statement.0",
  member: "member_access_expression.name qualified_name",
  through: "variable_name namespace_name list_literal by_ref",
};
