import type { Json, JsonObject } from "../util/json.ts";

/** The value with every text in it changed; names of fields stay. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapTexts(item, change));
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, item]) => [key, mapTexts(item, change)]));
}
