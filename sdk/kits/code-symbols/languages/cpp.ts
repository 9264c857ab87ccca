import type { Language } from "./language.ts";
import { scopes, shared } from "./c.ts";

/** Headers may be C or C++: this grammar reads both. */
export const cpp: Language = {
  name: "C++",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm",
  extensions: "cpp cc cxx c++ h hpp hh hxx h++ ipp inl",
  isApproximate: true,
  names: `${shared.names} namespace_identifier`,
  definition: `
    ${shared.definition} class_specifier[body].name alias_declaration.name namespace_definition.name
    namespace_alias_definition.name concept_definition.name for_range_loop.declarator
    structured_binding_declarator`,
  declaration: `
    ${shared.declaration} field_declaration.declarator<function_declarator
    optional_parameter_declaration.declarator variadic_parameter_declaration.declarator
    type_parameter_declaration optional_type_parameter_declaration.name variadic_type_parameter_declaration
    function_definition[delete_method_clause].declarator
    ${scopes}|template_declaration/class_specifier|struct_specifier|union_specifier|enum_specifier.name`,
  call: `${shared.call} new_expression.type`,
  member: `${shared.member} template_type.name`,
  through: `
    ${shared.through} reference_declarator qualified_identifier.name template_function.name destructor_name
    variadic_declarator template_method.name dependent_name nested_namespace_specifier
    class_specifier|struct_specifier/template_type.name`,
  unread: shared.unread,
};
