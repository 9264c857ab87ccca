import { defined } from "@pergola/sdk";
import { hexColour, styleFacts } from "../style/style.ts";
import type { ReadJob, Reading } from "./document-text.ts";
import { RtfReader } from "./rtf-reader.ts";
import { rtfTokens } from "./rtf-tokens.ts";

/** The first colour that the colour table names, which is what text has where it does not say. */
function firstColour(rtf: string): string | undefined {
  const pattern = /\\colortbl\s*;?\\red(\d{1,3})\\green(\d{1,3})\\blue(\d{1,3});/;
  const [, ...parts] = pattern.exec(rtf.slice(0, 1 << 20)) ?? [];
  const digits = parts.map((part) => Number(part).toString(16).padStart(2, "0"));
  return hexColour(digits.join(""));
}

const tidy = (text: string): string =>
  text
    .replaceAll(/(?: \| )+\n/g, " |\n")
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

/**
 * Text of a Rich Text document. Pictures, embedded objects and field instructions are left out; nothing is
 * opened.
 */
export async function readRtf({ bytes }: ReadJob): Promise<Reading> {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const reader = new RtfReader();
  for (const token of rtfTokens(rtf)) reader.take(token);
  const numberOf = (word: string): number => reader.numbers.get(word) ?? Number.NaN;
  const twips = (word: string): number => numberOf(word) / 20;
  const { title, author } = reader.info;
  const style = styleFacts({
    font_family: reader.font,
    font_size: numberOf("fs") / 2,
    text_color: firstColour(rtf),
    page_width: twips("paperw"),
    page_height: twips("paperh"),
    margin_top: twips("margt"),
    margin_right: twips("margr"),
    margin_bottom: twips("margb"),
    margin_left: twips("margl"),
  });
  return {
    text: tidy(reader.text),
    style,
    facts: defined({ title: title || undefined, author: author || undefined }),
  };
}
