import { isObject, type Json, type JsonObject } from "@pergola/sdk";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import type { Stale } from "./client.ts";
import { settingsToMake } from "./merge.ts";

/** How a file is indented, by its first indented line. */
function formatOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol };
}

const valueIn = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** What some editors put before a text (U+FEFF). */
const byteOrderMark = /^\ufeff?/;
const options = { allowTrailingComma: true };

/** What stands in a client's file: an object, or a list of them. */
type Values = JsonObject | readonly JsonObject[];

/** The line in which a text stops to be JSON of the same kind as `like`, from 1; undefined where it is. */
export function jsonFaultLine(text: string, like: Values = {}): number | undefined {
  const errors: ParseError[] = [];
  const value = parse(text.replace(byteOrderMark, ""), errors, options) as Json | undefined;
  const isSameKind = Array.isArray(like) ? Array.isArray(value) : isObject(value);
  const offset = errors[0]?.offset ?? (isSameKind ? undefined : 0);
  return offset === undefined ? undefined : text.slice(0, offset).split("\n").length;
}

/**
 * JSON with comments, with the values in it and without what is stale; comments and the rest stay as they
 * are. Undefined where the text cannot be read, or is of another kind than the values.
 */
export function mergeJson(text: string, values: Values, stale: readonly Stale[] = []): string | undefined {
  if (jsonFaultLine(text, values) !== undefined) return undefined;
  const [mark = ""] = byteOrderMark.exec(text) ?? [];
  const json = text.slice(mark.length);
  const before = parse(json, [], options) as Json;
  const formattingOptions = formatOf(json);
  const removals = stale
    .filter(({ path, isOurs }) => isOurs(path.reduce<Json | undefined>(valueIn, before) ?? null))
    .map(({ path }) => ({ path, value: undefined }));
  const merged = [...settingsToMake(before, values), ...removals].reduce(
    (now, { path, value }) => applyEdits(now, modify(now, [...path], value, { formattingOptions })),
    json,
  );
  return mark + merged;
}
