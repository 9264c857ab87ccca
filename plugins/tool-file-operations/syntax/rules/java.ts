import { byBody, places, type Rules } from "../rules.ts";

export const java: Rules = {
  ...places(
    "definition",
    "class_declaration.name",
    "interface_declaration.name",
    "enum_declaration.name",
    "record_declaration.name",
    "annotation_type_declaration.name",
    "constructor_declaration.name",
    "compact_constructor_declaration.name",
    "variable_declarator.name",
    "enum_constant.name",
    "enhanced_for_statement.name",
    "resource.name",
    "instanceof_expression.name",
  ),
  ...places(
    "declaration",
    "annotation_type_element_declaration.name",
    "formal_parameter.name",
    "catch_formal_parameter.name",
    "lambda_expression.parameters",
    "inferred_parameters.",
    "type_parameter.",
  ),
  ...places("call", "method_invocation.name", "object_creation_expression.type"),
  ...places("member", "generic_type.", "scoped_type_identifier."),
  "method_declaration.name": byBody,
};
