import { compareText } from "../util/compare-text.ts";
import type { Json, JsonObject } from "../util/json.ts";

/** JSON text that is the same for the same value, whatever the order of keys. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}
