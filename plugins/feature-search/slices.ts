import type { Message } from "@pergola/sdk";
import { searchedText } from "./searched-text.ts";

/** Messages read at a time: few at first, for each may have many megabytes, more while they are small. */
export const [firstPage, largestPage] = [2, 32];

/** Conversations with a first page of new messages each that are read together: no more than a large page. */
const together = largestPage / firstPage;

/** Characters of a page above which the next one is a small one again. */
const largeSize = 500_000;

/** Characters indexed at a time: some milliseconds in which nothing else is written. */
const sliceSize = 50_000;

export function nextSize(size: number, page: readonly Message[]): number {
  const characters = page.reduce((sum, message) => sum + (message.content?.length ?? 0), 0);
  return characters > largeSize ? firstPage : Math.min(size * 2, largestPage);
}

/** Messages with text, in pieces of some size. */
export function slicesOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const slices: Message[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const { length } = searchedText(message);
    if (length === 0) continue;
    if (size + length > sliceSize) {
      slices.push([]);
      size = 0;
    }
    slices.at(-1)?.push(message);
    size += length;
  }
  return slices;
}

/** Conversations, as many as are read together at a time. */
export function* groupsOf(ids: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < ids.length; at += together) yield ids.slice(at, at + together);
}
