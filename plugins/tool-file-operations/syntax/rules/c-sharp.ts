import { byBody, places, type Rules } from "../rules.ts";

export const cSharp: Rules = {
  ...places(
    "definition",
    "namespace_declaration.name",
    "file_scoped_namespace_declaration.name",
    "class_declaration.name",
    "struct_declaration.name",
    "interface_declaration.name",
    "enum_declaration.name",
    "record_declaration.name",
    "delegate_declaration.name",
    "constructor_declaration.name",
    "property_declaration.name",
    "event_declaration.name",
    "variable_declarator.name",
    "enum_member_declaration.name",
    "foreach_statement.left",
    "declaration_expression.name",
  ),
  ...places("declaration", "parameter.name", "type_parameter.name", "catch_declaration.name"),
  ...places("call", "invocation_expression.function", "object_creation_expression.type"),
  ...places(
    "member",
    "member_access_expression.name",
    "member_binding_expression.name",
    "conditional_access_expression.",
    "generic_name.",
    "qualified_name.name",
  ),
  ...places(byBody, "method_declaration.name", "local_function_statement.name"),
};
