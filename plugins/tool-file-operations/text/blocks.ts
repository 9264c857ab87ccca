import type { ToolContext } from "@pergola/sdk";
import { decode, isBinary } from "./bytes.ts";

const lineFeed = 10;

/** Bytes that are read at once from a file of unknown size. */
export const blockBytes = 1 << 20;

/** A file's bytes in order, block by block, so that a large file is never held whole. */
export async function* byteBlocks(context: ToolContext, path: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; ; start += blockBytes) {
    context.signal.throwIfAborted();
    const bytes = await context.files.read(path, { start, end: start + blockBytes });
    if (bytes.length > 0) yield bytes;
    if (bytes.length < blockBytes) return;
  }
}

export interface TextBlock {
  readonly text: string;
  /** Number of the block's first line, from 1. */
  readonly firstLine: number;
}

interface TextBlockOptions {
  readonly size: number;
  /** Take a binary file for text too. */
  readonly binary: boolean;
}

/**
 * A text file in blocks of whole lines (a line longer than a block is cut). Nothing at all for a binary file.
 */
export async function* textBlocks(
  context: ToolContext,
  path: string,
  { size, binary }: TextBlockOptions,
): AsyncGenerator<TextBlock> {
  let firstLine = 1;
  for (let start = 0; ;) {
    context.signal.throwIfAborted();
    const bytes = await context.files.read(path, { start, end: start + size });
    if (bytes.length === 0 || (start === 0 && !binary && isBinary(bytes))) return;
    const isLast = bytes.length < size;
    const whole = isLast ? bytes : wholeLines(bytes);
    yield { text: decode(whole), firstLine };
    if (isLast) return;
    firstLine += countLineFeeds(whole);
    start += whole.length;
  }
}

/** Bytes up to the last line feed; all of them when there is none. */
export const wholeLines = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1 || bytes.length);

/** Line feeds in UTF-8 bytes. */
export function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}
