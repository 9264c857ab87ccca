import { byBody, places, type Rules } from "../rules.ts";

export const php: Rules = {
  ...places(
    "definition",
    "namespace_definition.name",
    "function_definition.name",
    "class_declaration.name",
    "interface_declaration.name",
    "trait_declaration.name",
    "enum_declaration.name",
    "enum_case.name",
    "property_element.name",
    "property_promotion_parameter.name",
    "static_variable_declaration.name",
    "variable_name>assignment_expression.left",
  ),
  ...places("declaration", "simple_parameter.name", "variadic_parameter.name", "namespace_aliasing_clause."),
  ...places(
    "call",
    "function_call_expression.function",
    "member_call_expression.name",
    "nullsafe_member_call_expression.name",
    "scoped_call_expression.name",
    "object_creation_expression.",
  ),
  ...places(
    "member",
    "member_access_expression.name",
    "nullsafe_member_access_expression.name",
    "qualified_name.",
  ),
  ...places("up", "variable_name.", "namespace_name."),
  "method_declaration.name": byBody,
  "const_element.": (element, node) => (element.namedChild(0)?.id === node.id ? "definition" : "reference"),
};
