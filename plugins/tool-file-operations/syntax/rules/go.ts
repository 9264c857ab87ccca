import { places, type Rules } from "../rules.ts";

export const go: Rules = {
  ...places(
    "definition",
    "function_declaration.name",
    "method_declaration.name",
    "type_spec.name",
    "type_alias.name",
    "var_spec.name",
    "const_spec.name",
    "field_declaration.name",
    "short_var_declaration.left",
    "range_clause.left",
  ),
  ...places(
    "declaration",
    "method_elem.name",
    "parameter_declaration.name",
    "variadic_parameter_declaration.name",
    "type_parameter_declaration.name",
    "import_spec.name",
    "package_clause.",
  ),
  ...places("call", "call_expression.function", "type_conversion_expression.type"),
  ...places(
    "member",
    "selector_expression.field",
    "generic_type.type",
    "type_instantiation_expression.type",
    "parenthesized_expression.",
  ),
  "expression_list.": "up",
};
