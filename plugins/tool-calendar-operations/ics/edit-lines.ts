import { lineEndOf } from "@pergola/kit-dav";

/** New content lines by the name of the property they replace. */
export type LineChanges = Readonly<Record<string, string>>;

const nameOf = (line: string): string => (/^[\w-]+/.exec(line)?.[0] ?? "").toUpperCase();

/**
 * Replaces properties of a component, adds those it lacks, and adds the `extra` lines. A property that stands
 * twice is written once. Every other line stays as it is, byte for byte; components inside are left alone.
 */
export function editLines(component: string, changes: LineChanges, extra: readonly string[] = []): string {
  const end = lineEndOf(component);
  const pending = new Map(Object.entries(changes));
  const result: string[] = [];
  let depth = 0;
  for (const line of component.split(/\r?\n(?![ \t])/).filter(Boolean)) {
    const name = nameOf(line);
    if (name === "END" && depth === 1) result.push(...pending.values(), ...extra);
    if (name === "END") depth -= 1;
    if (depth !== 1 || !(name in changes)) result.push(line);
    else {
      const changed = pending.get(name);
      if (changed !== undefined) result.push(changed);
      pending.delete(name);
    }
    if (name === "BEGIN") depth += 1;
  }
  return result.map((line) => line + end).join("");
}
