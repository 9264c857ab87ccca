import { decodeText, isBinary, withoutCutCharacter } from "@pergola/kit-file-facts";
import { extensionOf } from "../file-types.ts";
import { mostText, type FactsReader, type OpenFile } from "./facts.ts";

/** Bytes that are read of a text: one character takes one to four. */
const mostBytes = 2 * mostText;

/** The text of a file in UTF-8, in UTF-16 with its mark, or in Windows-1252; undefined when it is no text. */
function textOf(file: OpenFile): string | undefined {
  if (isBinary(file.head(8192))) return undefined;
  const bytes = file.head(mostBytes);
  if (bytes.length === file.size) return decodeText(bytes);
  return decodeText(withoutCutCharacter(bytes));
}

const titles: Readonly<Record<string, RegExp>> = {
  html: /<title[^>]{0,200}>([^<]{1,300})/i,
  htm: /<title[^>]{0,200}>([^<]{1,300})/i,
  md: /^(?:---\n[^]{0,2000}?\n---\s*)?#[ \t]+([^\n]{1,300})/,
};

/** The words of a text, and its title where its format has one. */
export const textFacts: FactsReader = async (file) => {
  const text = textOf(file);
  if (text === undefined) return { facts: {} };
  const found = titles[extensionOf(file.name)]?.exec(text.slice(0, 20_000));
  return { facts: { title: found?.[1] }, text };
};
