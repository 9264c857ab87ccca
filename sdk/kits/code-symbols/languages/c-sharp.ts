import type { Language } from "./language.ts";

export const cSharp: Language = {
  name: "C#",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm",
  extensions: "cs",
  names: "identifier implicit_parameter",
  definition: `
    namespace_declaration.name file_scoped_namespace_declaration.name class_declaration.name
    struct_declaration.name interface_declaration.name enum_declaration.name record_declaration.name
    delegate_declaration.name constructor_declaration.name destructor_declaration.name
    property_declaration.name event_declaration.name variable_declarator.name enum_member_declaration.name
    method_declaration[body].name local_function_statement[body].name foreach_statement.left
    declaration_expression.name declaration_pattern.name recursive_pattern.name from_clause.name
    let_clause.0 join_clause.0 variable_declarator<tuple_pattern`,
  declaration: `
    using_directive.name method_declaration.name local_function_statement.name parameter.name
    lambda_expression.parameters type_parameter.name catch_declaration.name`,
  call: "invocation_expression.function object_creation_expression.type",
  member: `
    member_access_expression.name member_binding_expression.name conditional_access_expression generic_name
    qualified_name.name parenthesized_expression`,
  through: "tuple_pattern.name",
};
