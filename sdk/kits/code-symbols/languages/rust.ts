import type { Language } from "./language.ts";

export const rust: Language = {
  name: "Rust",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm",
  extensions: "rs",
  names: "identifier field_identifier type_identifier shorthand_field_identifier",
  definition: `
    function_item.name struct_item.name enum_item.name union_item.name trait_item.name type_item.name
    macro_definition.name enum_variant.name field_declaration.name mod_item[body].name
    const_item[value].name static_item[value].name captured_pattern.0 field_pattern[!pattern].name
    let_declaration.pattern let_condition.pattern for_expression.pattern`,
  declaration: `
    mod_item.name const_item.name static_item.name function_signature_item.name associated_type.name
    parameter.pattern closure_parameters type_parameter.name const_parameter.name use_as_clause.alias
    extern_crate_declaration.alias`,
  call: "call_expression.function macro_invocation.macro token_tree+( token_tree+!(",
  member: "field_expression.field scoped_identifier.name generic_function.function",
  through: `
    tuple_pattern tuple_struct_pattern mut_pattern ref_pattern reference_pattern slice_pattern or_pattern
    field_pattern.pattern struct_pattern`,
};
