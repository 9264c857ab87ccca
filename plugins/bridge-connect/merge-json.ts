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

/** The line in which a text stops to be a JSON object, from 1; undefined where it is one. */
export function jsonFaultLine(text: string): number | undefined {
  const errors: ParseError[] = [];
  const value = parse(text.replace(byteOrderMark, ""), errors, options) as Json | undefined;
  const offset = errors[0]?.offset ?? (isObject(value) ? undefined : 0);
  return offset === undefined ? undefined : text.slice(0, offset).split("\n").length;
}

/**
 * JSON with comments, with the values in it and without what is stale; comments and the rest stay as they
 * are. Undefined where the text is no object that can be read.
 */
export function mergeJson(
  text: string,
  values: JsonObject,
  stale: readonly Stale[] = [],
): string | undefined {
  if (jsonFaultLine(text) !== undefined) return undefined;
  const [mark = ""] = byteOrderMark.exec(text) ?? [];
  const json = text.slice(mark.length);
  const before = parse(json, [], options) as JsonObject;
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
