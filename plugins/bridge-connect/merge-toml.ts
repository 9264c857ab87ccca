import { isDeepStrictEqual } from "node:util";
import { parse, patch } from "@decimalturn/toml-patch";

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Both, where each entry of our tables takes the place of one of the same name. */
function joined(before: Table, ours: Table): Table {
  const entries = Object.entries(ours).map(([key, value]): [string, unknown] => {
    const there = before[key];
    return [key, isTable(value) && isTable(there) ? { ...there, ...value } : value];
  });
  return { ...before, ...Object.fromEntries(entries) };
}

/** Whether the values are the same; the order of keys, and what objects inherit, are no matter. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(structuredClone(one), structuredClone(other));

function parsed(text: string): Table | undefined {
  try {
    return parse(text) as Table;
  } catch {
    return undefined;
  }
}

const withoutTables = (table: Table): Table =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => !isTable(value)));

/** The tables of a text, from their first line in brackets on. */
const tablesOf = (text: string): string => /^\[[^]*/m.exec(text)?.[0] ?? "";

/**
 * TOML with the keys and tables of our text in it; comments and the rest stay. A table of a name that ours
 * has gives way to it whole. Undefined where the text cannot be read, or would lose something.
 */
export function mergeToml(text: string, oursText: string): string | undefined {
  const before = parsed(text);
  const ours = parsed(oursText);
  if (before === undefined || ours === undefined) return undefined;
  const wanted = joined(before, ours);
  if (isSame(before, wanted)) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const appended = (): string => {
    const keys = patch(text, { ...before, ...withoutTables(ours) }).trimEnd();
    return `${keys}\n\n${tablesOf(oursText)}`.replaceAll(/\r?\n/g, eol);
  };
  // A new table is written as people write it. One that is there, or in one line with others, is patched.
  const attempts = [appended, () => patch(text, wanted)];
  return attempts.map(textOf).find((after) => after !== undefined && isSame(parsed(after), wanted));
}

function textOf(attempt: () => string): string | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
