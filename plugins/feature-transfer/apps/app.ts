import type { Tally } from "../reading/tally.ts";

/** Fields of an export file, which nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A message as an app has it. */
export interface AppMessage {
  readonly id: string;
  /** The message that it follows, null for none. Where that is not there, it begins the conversation anew. */
  readonly parentId: string | null;
  /** null: it is left out, and what follows it follows the one before. */
  readonly role: "user" | "assistant" | null;
  readonly text: string;
  /** The model's thoughts. Those of a message that is left out belong to the next answer. */
  readonly reasoning?: string;
  /** Seconds or milliseconds since 1970, or a date in text. */
  readonly time?: unknown;
}

/** A conversation as an app has it. */
export interface AppConversation {
  /** What it is called in the app, the same in every export. */
  readonly id: string;
  readonly title: string;
  readonly created?: unknown;
  readonly updated?: unknown;
  /** The model of its last answer, as the app calls it. */
  readonly model?: string;
  readonly isPinned?: boolean;
  readonly messages: readonly AppMessage[];
  /** The last message of the branch that the app showed. */
  readonly currentId?: string;
  readonly leftOut: Tally;
}

/** Puts the items of one source together to conversations. */
export interface AppReader {
  /** What an item, found in the file `name`, completes. */
  add(item: Fields, name: string): Iterable<AppConversation>;
  /** What is complete because nothing follows. */
  end(): Iterable<AppConversation>;
}

/** An app whose exports can be read. */
export interface App {
  /** What `--from` calls it; part of the ids of its conversations. */
  readonly id: string;
  readonly name: string;
  /** Whether an item of a file, or a file that is one object, is this app's. */
  recognizes(item: Fields): boolean;
  open(): AppReader;
}

/** A reader for apps in whose files each item is a whole conversation. */
export const eachItem = (read: (item: Fields, name: string) => AppConversation): (() => AppReader) => {
  return () => ({ add: (item, name) => [read(item, name)], end: () => [] });
};
