import type { Node } from "web-tree-sitter";
import type { Language, UsageKind } from "./language.ts";

/** A node on the way from the root to a name, and the field it fills in its parent ("" for none). */
export interface Step {
  readonly node: Node;
  readonly field: string;
}

export type Rule = UsageKind | "member" | "through";

/** A field or child that the parent must have, or must not have; with texts, one of these. */
interface Condition {
  readonly part: string;
  readonly texts: readonly string[];
  readonly isNegated: boolean;
}

interface Selector {
  readonly rule: Rule;
  readonly parent: string;
  readonly field: string;
  readonly outer: readonly string[];
  readonly inner: string | undefined;
  readonly next: string | undefined;
  readonly condition: Condition | undefined;
}

/**
 * The rule for a name's place: `way` leads from the root to a name or to what wraps it, `through` are the
 * wrappings passed so far.
 */
export type RuleFinder = (way: readonly Step[], through: readonly string[], text: string) => Rule | undefined;

const form =
  /^(?:(?<outer>[\w|]+)\/)?(?<parents>[\w|]+)(?:\[(?<not>!)?(?<part>[^\]=]+)(?:=(?<texts>[^\]]+))?\])?(?:\.(?<field>\w+))?(?:<(?<inner>\w+))?(?:\+(?<next>\S+))?$/;
const lists = ["definition", "declaration", "call", "reference", "member", "through"] as const;

/** The words of a list. */
export const wordsOf = (list = ""): readonly string[] => list.split(/\s+/).filter((word) => word !== "");

/**
 * Reads one selector: `outer/parent[condition].field<inner+next`, all but `parent` optional.
 * - `parent.field`: the node stands in that field; `parent` alone: in no field; `parent.0`: it is the first
 *   child, in no field.
 * - `[part]`, `[!part]`, `[part=a|b]`: the parent has such a field or child or has it not, or its text is one
 *   of these.
 * - `outer/`: the parent of the parent. `<inner`: the name is such a node, or wrapped in one. `+next`: this
 *   text follows the name. Of `outer` and `parent` there may be several: `a|b`. Throws for anything else.
 */
export function parseSelector(text: string, rule: Rule): readonly Selector[] {
  const groups = form.exec(text)?.groups;
  if (groups === undefined) throw new Error(`"${text}" is no selector.`);
  const { outer, parents = "", not, part, texts, field = "", inner, next } = groups;
  const condition =
    part === undefined ? undefined : { part, texts: choices(texts), isNegated: not !== undefined };
  return choices(parents).map((parent) => ({
    rule,
    parent,
    field,
    outer: choices(outer),
    inner,
    next,
    condition,
  }));
}

/** Alternatives that are set apart by `|`. */
const choices = (text: string | undefined): readonly string[] => text?.split("|") ?? [];

/** All selectors of a language. */
export const selectorsOf = (language: Language): readonly Selector[] =>
  lists.flatMap((rule) => wordsOf(language[rule]).flatMap((text) => parseSelector(text, rule)));

const weight = ({ outer, inner, next, condition }: Selector): number =>
  [outer[0], inner, next, condition].filter((part) => part !== undefined).length;

/** Prepares a language's selectors; where several fit, the one with most demands decides. */
export function ruleFinder(language: Language): RuleFinder {
  const byPlace = new Map<string, Selector[]>();
  for (const selector of selectorsOf(language).toSorted((one, other) => weight(other) - weight(one))) {
    const place = `${selector.parent}.${selector.field}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), selector]);
  }
  return (way, through, text) => {
    const [parent, step] = [way.at(-2), way.at(-1)];
    if (parent === undefined || step === undefined) return undefined;
    const first = step.field === "" ? byPlace.get(`${parent.node.type}.0`) : undefined;
    const isFirst = first !== undefined && parent.node.firstNamedChild?.id === step.node.id;
    const others = byPlace.get(`${parent.node.type}.${step.field}`) ?? [];
    const fitting = isFirst ? [...first, ...others] : others;
    return fitting.find((selector) => fits(selector, way, through, text))?.rule;
  };
}

function fits(
  { outer, inner, next, condition }: Selector,
  way: readonly Step[],
  through: readonly string[],
  text: string,
): boolean {
  const nodes = way.slice(-3).map(({ node }) => node);
  const [node, parent, grandparent] = nodes.toReversed();
  if (node === undefined || parent === undefined) return false;
  if (outer.length > 0 && !outer.includes(grandparent?.type ?? "")) return false;
  if (inner !== undefined && ![node.type, ...through].includes(inner)) return false;
  if (next !== undefined && !text.startsWith(next, node.endIndex)) return false;
  return condition === undefined || holds(condition, parent);
}

function holds({ part, texts, isNegated }: Condition, node: Node): boolean {
  const found = partOf(node, part);
  const isMet = found !== null && (texts.length === 0 || texts.includes(found.text));
  return isMet !== isNegated;
}

const partOf = (node: Node, part: string): Node | null =>
  node.childForFieldName(part) ?? node.children.find((child) => child?.type === part) ?? null;
