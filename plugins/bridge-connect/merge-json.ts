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

/**
 * JSON with comments, with the values in it and without what is stale; comments and the rest stay as they
 * are. Undefined where the text is no object that can be read.
 */
export function mergeJson(
  text: string,
  values: JsonObject,
  stale: readonly Stale[] = [],
): string | undefined {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true };
  const before = parse(text, errors, options) as Json | undefined;
  if (errors.length > 0 || !isObject(before)) return undefined;
  const formattingOptions = formatOf(text);
  const removals = stale
    .filter(({ path, isOurs }) => isOurs(path.reduce<Json | undefined>(valueIn, before) ?? null))
    .map(({ path }) => ({ path, value: undefined }));
  return [...settingsToMake(before, values), ...removals].reduce(
    (now, { path, value }) => applyEdits(now, modify(now, [...path], value, { formattingOptions })),
    text,
  );
}
