import type { Language } from "./language.ts";

export const java: Language = {
  name: "Java",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm",
  extensions: "java",
  names: "identifier type_identifier",
  definition: `
    class_declaration.name interface_declaration.name enum_declaration.name record_declaration.name
    annotation_type_declaration.name constructor_declaration.name compact_constructor_declaration.name
    method_declaration[body].name variable_declarator.name enum_constant.name enhanced_for_statement.name
    resource.name instanceof_expression.name type_pattern<identifier record_pattern_component<identifier`,
  declaration: `
    method_declaration.name annotation_type_element_declaration.name formal_parameter.name
    catch_formal_parameter.name lambda_expression.parameters inferred_parameters type_parameter
    spread_parameter/variable_declarator.name`,
  call: "method_invocation.name object_creation_expression.type",
  reference: "scoped_type_identifier.0",
  member: "generic_type scoped_type_identifier",
};
