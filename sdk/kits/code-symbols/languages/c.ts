import type { Language } from "./language.ts";

/** Where `struct name;` announces a type; elsewhere `struct name` uses it. */
export const scopes =
  "translation_unit|declaration_list|field_declaration_list|" +
  "preproc_ifdef|preproc_if|preproc_else|preproc_elif";

/** What C and C++ have in common. */
export const shared = {
  names: "identifier field_identifier type_identifier primitive_type",
  definition: `
    function_definition.declarator declaration.declarator field_declaration.declarator
    type_definition.declarator enumerator.name preproc_def.name preproc_function_def.name
    struct_specifier|union_specifier|enum_specifier[body].name
    declaration|field_declaration.declarator<parenthesized_declarator`,
  declaration: `
    declaration[storage_class_specifier=extern].declarator declaration.declarator<function_declarator
    parameter_declaration.declarator preproc_params
    ${scopes}/struct_specifier|union_specifier|enum_specifier.name`,
  call: "call_expression.function",
  member: "field_expression.field parenthesized_expression",
  through: `
    function_declarator.declarator pointer_declarator.declarator array_declarator.declarator
    parenthesized_declarator init_declarator.declarator`,
  unread: "preproc_arg",
};

export const c: Language = {
  name: "C",
  grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm",
  extensions: "c",
  isApproximate: true,
  ...shared,
};
