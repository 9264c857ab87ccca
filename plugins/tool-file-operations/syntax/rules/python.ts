import { places, type Rules } from "../rules.ts";

export const python: Rules = {
  ...places(
    "definition",
    "function_definition.name",
    "class_definition.name",
    "assignment.left",
    "named_expression.name",
    "for_statement.left",
    "for_in_clause.left",
    "as_pattern_target.",
    "type_alias_statement.left",
  ),
  ...places(
    "declaration",
    "parameters.",
    "lambda_parameters.",
    "typed_parameter.",
    "default_parameter.name",
    "typed_default_parameter.name",
    "aliased_import.alias",
  ),
  "call.function": "call",
  ...places(
    "up",
    "pattern_list.",
    "tuple_pattern.",
    "list_pattern.",
    "list_splat_pattern.",
    "dictionary_splat_pattern.",
    "type.",
  ),
  "attribute.attribute": "up",
};
