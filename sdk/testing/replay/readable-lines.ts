import { isObject } from "@pergola/sdk";

/** The value of a text that holds JSON, else the text. */
function opened(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function field(name: string, value: unknown): readonly string[] {
  const lines = readableLines(value);
  const [only = ""] = lines;
  if (lines.length <= 1 && (typeof value !== "object" || value === null)) return [`${name}: ${only}`];
  return [`${name}:`, ...indented(lines)];
}

const sorted = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** A value as lines that a person compares easily: one for each field, and for each line of a text. */
export function readableLines(value: unknown): readonly string[] {
  if (typeof value === "string") {
    const inner = opened(value);
    return typeof inner === "string" ? inner.split("\n") : readableLines(inner);
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.length === 0 ? ["(none)"] : items.flatMap((item, index) => field(`${index + 1}`, item));
  }
  if (!isObject(value)) return [JSON.stringify(value)];
  const fields = sorted(value);
  return fields.length === 0 ? ["(none)"] : fields.flatMap(([name, item]) => field(name, item));
}
