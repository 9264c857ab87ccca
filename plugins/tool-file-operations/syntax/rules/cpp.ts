import type { Node } from "web-tree-sitter";
import { places, type Rules, type UsageKind } from "../rules.ts";

const scopes = new Set([
  "translation_unit",
  "declaration_list",
  "field_declaration_list",
  "template_declaration",
]);

/** `struct a {…}` defines, `struct a;` announces, and in `struct a b;` the type is only used. */
function byPlace(type: Node): UsageKind {
  if (type.childForFieldName("body") !== null) return "definition";
  return scopes.has(type.parent?.type ?? "") ? "declaration" : "reference";
}

const unlessExtern = (declaration: Node): UsageKind =>
  declaration.text.startsWith("extern") ? "declaration" : "definition";

/** C++, and C, whose code is read by the same grammar. */
export const cpp: Rules = {
  ...places(
    "definition",
    "function_definition.declarator",
    "field_declaration.declarator",
    "type_definition.declarator",
    "alias_declaration.name",
    "namespace_definition.name",
    "enumerator.name",
    "concept_definition.name",
    "preproc_def.name",
    "preproc_function_def.name",
    "for_range_loop.declarator",
  ),
  ...places(
    "declaration",
    "function_declarator>declaration.declarator",
    "function_declarator>field_declaration.declarator",
    "parameter_declaration.declarator",
    "optional_parameter_declaration.declarator",
    "type_parameter_declaration.",
    "optional_type_parameter_declaration.name",
    "preproc_params.",
  ),
  ...places("call", "call_expression.function", "new_expression.type"),
  ...places("member", "field_expression.field", "template_type.name"),
  ...places(
    "up",
    "function_declarator.declarator",
    "pointer_declarator.declarator",
    "reference_declarator.",
    "array_declarator.declarator",
    "parenthesized_declarator.",
    "init_declarator.declarator",
    "qualified_identifier.name",
    "template_function.name",
    "destructor_name.",
  ),
  ...places(
    byPlace,
    "class_specifier.name",
    "struct_specifier.name",
    "union_specifier.name",
    "enum_specifier.name",
  ),
  "declaration.declarator": unlessExtern,
};
