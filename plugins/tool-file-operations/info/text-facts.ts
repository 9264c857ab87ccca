import { TextDecoder } from "node:util";
import type { ToolContext } from "@pergola/sdk";
import { byteBlocks, countLineFeeds } from "../text/blocks.ts";

type TextFacts = {
  readonly encoding: "utf-8" | "unknown";
  readonly line_count: number;
  /** Code points; bytes when the encoding is unknown. */
  readonly character_count: number;
  readonly line_endings: "LF" | "CRLF" | "mixed" | "none";
};

const lineFeed = 10;
const carriageReturn = 13;

/** Code points in UTF-8: every byte but those that continue one. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count += 1;
  return count;
}

function countPairs(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] === lineFeed) count += 1;
  return count;
}

const endingsOf = (feeds: number, pairs: number): TextFacts["line_endings"] => {
  if (feeds === 0) return "none";
  if (pairs === 0) return "LF";
  if (pairs === feeds) return "CRLF";
  return "mixed";
};

function isUtf8(decoder: TextDecoder, bytes?: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** Lines, characters and line ends of a text file, read block by block. */
export async function textFacts(context: ToolContext, path: string): Promise<TextFacts> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [feeds, pairs, characters, valid, last] = [0, 0, 0, true, lineFeed];
  for await (const block of byteBlocks(context, path)) {
    feeds += countLineFeeds(block);
    pairs += countPairs(block) + Number(last === carriageReturn && block[0] === lineFeed);
    characters += countCharacters(block);
    valid &&= isUtf8(decoder, block);
    last = block.at(-1) ?? last;
  }
  valid &&= isUtf8(decoder);
  return {
    encoding: valid ? "utf-8" : "unknown",
    line_count: feeds + Number(last !== lineFeed),
    character_count: characters,
    line_endings: endingsOf(feeds, pairs),
  };
}
