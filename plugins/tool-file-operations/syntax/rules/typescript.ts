import { places, type Rules } from "../rules.ts";

const functions = new Set(["arrow_function", "function_expression", "generator_function", "class"]);

export const typescript: Rules = {
  ...places(
    "definition",
    "function_declaration.name",
    "generator_function_declaration.name",
    "function_expression.name",
    "generator_function.name",
    "class_declaration.name",
    "abstract_class_declaration.name",
    "class.name",
    "interface_declaration.name",
    "type_alias_declaration.name",
    "enum_declaration.name",
    "enum_body.name",
    "enum_assignment.name",
    "internal_module.name",
    "module.name",
    "method_definition.name",
    "public_field_definition.name",
    "field_definition.property",
    "for_in_statement.left",
  ),
  ...places(
    "declaration",
    "function_signature.name",
    "method_signature.name",
    "abstract_method_signature.name",
    "property_signature.name",
    "required_parameter.pattern",
    "optional_parameter.pattern",
    "formal_parameters.",
    "arrow_function.parameter",
    "catch_clause.parameter",
    "type_parameter.name",
    "index_signature.name",
    "import_clause.",
    "namespace_import.",
    "import_specifier.alias",
  ),
  ...places("call", "call_expression.function", "new_expression.constructor"),
  ...places("member", "member_expression.property", "non_null_expression.", "parenthesized_expression."),
  ...places(
    "up",
    "object_pattern.",
    "array_pattern.",
    "rest_pattern.",
    "pair_pattern.value",
    "assignment_pattern.left",
    "object_assignment_pattern.left",
  ),
  "variable_declarator.name": (declarator) =>
    declarator.parent?.parent?.type === "ambient_declaration" ? "declaration" : "definition",
  "pair.key": (pair) =>
    functions.has(pair.childForFieldName("value")?.type ?? "") ? "definition" : "reference",
};
