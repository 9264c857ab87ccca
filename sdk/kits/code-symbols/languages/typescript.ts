import type { Language } from "./language.ts";

const rules = {
  names: `
    identifier property_identifier private_property_identifier shorthand_property_identifier
    shorthand_property_identifier_pattern`,
  definition: `
    function_declaration.name generator_function_declaration.name function_expression.name
    generator_function.name class_declaration.name class.name method_definition.name lexical_declaration
    variable_declaration for_in_statement.left pair[arrow_function].key pair[function_expression].key
    pair[generator_function].key pair[class].key assignment_expression[arrow_function].left
    assignment_expression[function_expression].left assignment_expression[class].left`,
  declaration: `
    formal_parameters arrow_function.parameter catch_clause.parameter import_clause namespace_import
    import_specifier.alias namespace_export export_specifier.alias`,
  call: "call_expression.function new_expression.constructor",
  member: "member_expression.property parenthesized_expression",
  through: `
    variable_declarator.name object_pattern array_pattern rest_pattern pair_pattern.value
    assignment_pattern.left object_assignment_pattern.left assignment_expression/member_expression.property`,
};

const typed = {
  names: `
    ${rules.names} type_identifier`,
  definition: `
    ${rules.definition} abstract_class_declaration.name interface_declaration.name
    type_alias_declaration.name enum_declaration.name enum_body.name enum_assignment.name
    internal_module.name internal_module/nested_identifier.object module.name public_field_definition.name`,
  declaration: `
    ${rules.declaration} ambient_declaration/lexical_declaration ambient_declaration/variable_declaration
    function_signature.name method_signature.name abstract_method_signature.name property_signature.name
    required_parameter.pattern optional_parameter.pattern type_parameter.name index_signature.name
    mapped_type_clause.name import_require_clause import_alias.0`,
  call: rules.call,
  member: `
    ${rules.member} non_null_expression`,
  through: `
    ${rules.through} nested_identifier.property`,
};

export const typescript: Language = {
  name: "TypeScript",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm",
  extensions: "ts mts cts",
  ...typed,
};

export const tsx: Language = {
  name: "TSX",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
  extensions: "tsx",
  ...typed,
};

export const javascript: Language = {
  name: "JavaScript",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm",
  extensions: "js mjs cjs jsx",
  ...rules,
  definition: `
    ${rules.definition} field_definition.property`,
};
