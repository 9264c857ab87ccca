import type { Node } from "web-tree-sitter";
import { places, type Rules, type UsageKind } from "../rules.ts";

const definers = new Set(["attr_accessor", "attr_reader", "attr_writer", "define_method"]);

/** `attr_reader :name` makes a method of that name. */
function byDefiner(argumentList: Node, node: Node): UsageKind {
  const method = argumentList.parent?.childForFieldName("method")?.text ?? "";
  return node.type === "simple_symbol" && definers.has(method) ? "definition" : "reference";
}

export const ruby: Rules = {
  ...places(
    "definition",
    "module.name",
    "class.name",
    "method.name",
    "singleton_method.name",
    "assignment.left",
    "alias.name",
  ),
  ...places(
    "declaration",
    "method_parameters.",
    "block_parameters.",
    "lambda_parameters.",
    "optional_parameter.name",
    "keyword_parameter.name",
    "splat_parameter.name",
    "hash_splat_parameter.name",
    "block_parameter.name",
  ),
  "call.method": "call",
  ...places("up", "scope_resolution.name", "setter.name", "left_assignment_list."),
  "argument_list.": byDefiner,
};
