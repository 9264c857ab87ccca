import { estimateTokens, type ChatMessage, type Message } from "@pergola/sdk";
import type { StoredCall } from "@pergola/sdk/host";
import { chatForm } from "../message-forms.ts";

/** A stored message, and what a model sees of it. */
export interface Entry {
  readonly stored: Message;
  readonly chat: ChatMessage;
  readonly tokens: number;
}

/**
 * Makes entries of messages that follow one another; what calls were about is remembered for their answers.
 */
export class EntryMaker {
  readonly #calls = new Map<string, StoredCall>();

  make(messages: readonly Message[]): readonly Entry[] {
    return messages.map((stored) => this.#make(stored));
  }

  /** Entries that were made without knowing all messages before them: only answers can change by these. */
  makeAgain(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((entry) => {
      for (const call of entry.stored.toolCalls ?? []) this.#calls.set(call.id, call);
      return entry.stored.role === "tool" ? this.#make(entry.stored) : entry;
    });
  }

  #make(stored: Message): Entry {
    const chat = chatForm(stored, this.#calls);
    return { stored, chat, tokens: estimateTokens({ messages: [chat], tools: [] }) };
  }
}

export const entriesOf = (messages: readonly Message[]): readonly Entry[] => new EntryMaker().make(messages);

export const tokensOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { tokens }) => sum + tokens, 0);

/** What stays or goes together: a message with calls and its answers, any other message by itself. */
export function unitsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const units: Entry[][] = [];
  for (const entry of entries) {
    const last = units.at(-1);
    const answers = entry.stored.role === "tool" && last?.[0]?.stored.toolCalls !== undefined;
    if (answers) last?.push(entry);
    else units.push([entry]);
  }
  return units;
}

/** Answers whose call is not there are nothing a model can read. */
export const withCalls = (entries: readonly Entry[]): readonly Entry[] => {
  const start = entries.findIndex(({ stored }) => stored.role !== "tool");
  if (start < 0) return [];
  return entries.slice(start);
};
