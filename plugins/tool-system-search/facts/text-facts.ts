import type { FactsReader, OpenFile } from "./facts.ts";
import { mostText } from "./facts.ts";

/** Bytes that are read of a text: one character takes one to four. */
const mostBytes = 2 * mostText;
const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The text of a file in UTF-8, in UTF-16 with its mark, or in Windows-1252; undefined when it is no text. */
function textOf(file: OpenFile): string | undefined {
  const beginning = file.head(8192);
  const [marked] = marks.find(([, mark]) => mark.every((byte, index) => beginning[index] === byte)) ?? [];
  if (marked === undefined && beginning.includes(0)) return undefined;
  const bytes = file.head(mostBytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: bytes.length < file.size });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
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
  const title = titles[file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase()]?.exec(
    text.slice(0, 20_000),
  )?.[1];
  return { facts: { title }, text };
};
