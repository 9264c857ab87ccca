import { isObject, type Json, type JsonObject } from "@pergola/sdk";
import { spaced } from "../request/words.ts";

const isEntry = (value: Json): value is JsonObject => isObject(value);
const isEmpty = (value: Json): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function oneLine(value: Json): string {
  if (value === null || isEmpty(value)) return "none";
  if (typeof value === "string") return value.replaceAll(/\s*\n\s*/g, " ");
  return JSON.stringify(value);
}

/** A name or title first, and the fields beside it; a place in a file as editors write it. */
function entryLine(entry: Json): string {
  if (!isEntry(entry)) return oneLine(entry);
  const file = entry.filePath ?? entry.file;
  const line = entry.lineNumber ?? entry.line;
  const isPlace = typeof file === "string" && typeof line === "number";
  const head = ["name", "title"].find((name) => typeof entry[name] === "string");
  const isPrintable = ([name]: readonly [string, Json]): boolean =>
    name !== head && !(isPlace && /^(?:filePath|file|lineNumber|line)$/.test(name));
  const fields = Object.entries(entry).filter(isPrintable);
  const rest = fields.map(([name, value]) => `${spaced(name)} ${oneLine(value)}`).join(", ");
  if (isPlace) return `${file}:${line}: ${rest}`;
  if (head === undefined) return rest;
  const title = oneLine(entry[head] ?? "");
  if (rest === "") return title;
  return `${title} (${rest})`;
}

const listLines = (list: readonly Json[]): readonly string[] => list.map((entry) => `- ${entryLine(entry)}`);

function fieldLines([name, value]: readonly [string, Json]): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return [`- ${spaced(name)}: ${oneLine(value)}`];
  const list = value as readonly Json[];
  return [`- ${spaced(name)} (${list.length}):`, ...listLines(list).map((line) => `  ${line}`)];
}

/**
 * The fields of a record, without those that say of a list in it only that it is whole: where it begins, how
 * long it might have been, and how long it is.
 */
function telling(record: JsonObject): readonly (readonly [string, Json])[] {
  const fields = Object.entries(record);
  const isWhole = record["hasMore"] === false && (record["offset"] ?? 0) === 0;
  if (!isWhole) return fields;
  const lengths = fields.flatMap(([, value]) => (Array.isArray(value) ? [value.length as Json] : []));
  return fields.filter(([name, value]) => {
    if (["hasMore", "offset", "limit"].includes(name)) return false;
    return !(["count", "totalCount"].includes(name) && lengths.includes(value));
  });
}

/** A value in lines that can be read: all that its fields and entries tell. */
export function valueLines(value: Json): readonly string[] {
  if (Array.isArray(value) && value.length === 0) return ["The list is empty."];
  if (Array.isArray(value)) return listLines(value as readonly Json[]);
  if (isEntry(value)) return telling(value).flatMap(fieldLines);
  return [oneLine(value)];
}
