import type { Language } from "./language.ts";

export const ruby: Language = {
  name: "Ruby",
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm",
  extensions: "rb rake gemspec ru",
  names: `
    identifier constant instance_variable class_variable global_variable simple_symbol hash_key_symbol`,
  definition: `
    module.name class.name method.name singleton_method.name assignment.left alias.name exception_variable
    for.pattern array_pattern keyword_pattern[!value].key
    call[method=attr_accessor|attr_reader|attr_writer|define_method|alias_method].arguments<simple_symbol`,
  declaration: `
    method_parameters block_parameters lambda_parameters optional_parameter.name keyword_parameter.name
    splat_parameter.name hash_splat_parameter.name block_parameter.name`,
  call: "call.method",
  through: "scope_resolution.name setter.name left_assignment_list destructured_parameter argument_list",
};
