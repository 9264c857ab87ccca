import type { Message } from "@pergola/sdk";
import { keyTopics } from "@pergola/sdk/host";
import { topicTerms } from "../terms.ts";

/** Characters: about what an embedding model reads of a text. */
const chunkSize = 1200;

/** Characters. */
const summarySize = 120;

/** How many words tell what a chunk is about. */
const mostTopics = 5;

/** Neighbouring turns that are searched as one. */
export interface Chunk {
  readonly conversationId: string;
  readonly first: number;
  readonly last: number;
  readonly messages: readonly Message[];
}

/**
 * What people and models said and still stands; what tools returned is data of theirs and no part of the
 * talk.
 */
export const isTalk = ({ type, visible, content }: Message): boolean =>
  visible && (type === "user" || type === "assistant") && (content ?? "").trim() !== "";

/** Turns in pieces of some 1200 characters, cut between turns. */
export function chunksOf(messages: readonly Message[]): readonly Chunk[] {
  const groups: Message[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const message of messages.filter(isTalk)) {
    const length = (message.content ?? "").length;
    if (size + length > chunkSize) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(message);
    size += length;
  }
  return groups.map((group) => ({
    conversationId: group[0]!.conversationId,
    first: group[0]!.seq,
    last: group.at(-1)!.seq,
    messages: group,
  }));
}

export const contentOf = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `${role}: ${(content ?? "").trim()}`).join("\n");

/** The first words, cut between words. */
export function summaryOf(messages: readonly Message[]): string {
  const text = (messages[0]?.content ?? "").replaceAll(/\s+/g, " ").trim();
  if (text.length <= summarySize) return text;
  return `${text.slice(0, summarySize).replace(/\s+\S*$/, "")}…`;
}

/** The words that tell what a text is about. */
export function topicsOf(text: string): readonly string[] {
  const words = topicTerms(text).filter((word) => word.length > 2 && !/^\d+$/.test(word));
  return keyTopics(words, mostTopics);
}
