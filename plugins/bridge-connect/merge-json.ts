import { isObject, type Json, type JsonObject } from "@pergola/sdk";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { settingsToMake } from "./merge.ts";

/** How a file is indented, by its first indented line. */
function formatOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol };
}

/**
 * JSON with comments, with the values in it; comments and the rest stay as they are. Undefined where the text
 * is no object that can be read.
 */
export function mergeJson(text: string, values: JsonObject): string | undefined {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true };
  const before = parse(text, errors, options) as Json | undefined;
  if (errors.length > 0 || !isObject(before)) return undefined;
  const formattingOptions = formatOf(text);
  return settingsToMake(before, values).reduce(
    (now, { path, value }) => applyEdits(now, modify(now, [...path], value, { formattingOptions })),
    text,
  );
}
