import { lineEnd } from "./blocks.ts";

/** New content lines by the name of the property they replace; undefined removes it. */
export type LineChanges = Readonly<Record<string, string | undefined>>;

const nameOf = (line: string): string => (/^[\w-]+/.exec(line)?.[0] ?? "").toUpperCase();

/**
 * The text of a component with some of its own properties replaced, added or removed. Every other line stays
 * as it is, byte for byte; components inside are left alone.
 */
export function editLines(component: string, changes: LineChanges, added: readonly string[] = []): string {
  const end = lineEnd(component);
  const left = new Map(Object.entries(changes));
  const kept: string[] = [];
  let depth = 0;
  for (const line of component.split(/\r?\n(?![ \t])/).filter((one) => one !== "")) {
    const name = nameOf(line);
    const isLast = name === "END" && depth === 1;
    if (isLast) kept.push(...[...left.values()].filter((fresh) => fresh !== undefined), ...added);
    if (name === "END") depth -= 1;
    const isOwn = depth === 1 && name in changes;
    if (!isOwn) kept.push(line);
    const fresh = isOwn ? left.get(name) : undefined;
    if (fresh !== undefined) kept.push(fresh);
    if (isOwn) left.delete(name);
    if (name === "BEGIN") depth += 1;
  }
  return kept.map((line) => line + end).join("");
}
