import type { Node } from "web-tree-sitter";

/**
 * What an occurrence of a symbol does: gives it its body or value, uses it as a callee, names it without
 * defining it, or anything else.
 */
export type UsageKind = "definition" | "call" | "declaration" | "reference";

/**
 * What it means to stand in a place of the syntax tree: a kind; `up`, as much as what stands around it;
 * `member`, a callee if what stands around it is one, else a reference; or whatever a function finds out from
 * the parent and the node.
 */
export type Rule = UsageKind | "up" | "member" | ((parent: Node, node: Node) => UsageKind);

/**
 * A language's places, written `parent_type.field`, the field being empty for children without one.
 * `inner_type>parent_type.field` goes before it for a node that was reached through an `inner_type`. Where
 * nothing is said the occurrence is a reference.
 */
export type Rules = Readonly<Record<string, Rule>>;

/** The same rule for several places. */
export const places = (rule: Rule, ...names: readonly string[]): Rules =>
  Object.fromEntries(names.map((name) => [name, rule]));

/** With a body it is a definition, without one a mere announcement. */
export const byBody = (parent: Node): UsageKind =>
  parent.childForFieldName("body") === null ? "declaration" : "definition";

/** A definition if a value stands beside the name. */
export const byValue = (parent: Node): UsageKind =>
  parent.childForFieldName("value") === null ? "declaration" : "definition";
