import type { Conversation, Log, Message, Storage } from "@pergola/sdk";
import { openStores } from "@pergola/sdk/host";
import { openChosen } from "./chosen-storage.ts";

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const at = (number: number): string => new Date(1_700_000_000_000 + number * 1000).toISOString();

/** The id of a conversation in a filled store. */
export const filledId = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** How a message of a filled store begins. */
export const filledText = (seq: number): string => `Message ${seq}.`;

const conversation = (number: number, messages: number): Conversation => ({
  id: filledId(number),
  alias: null,
  title: `Conversation ${number}`,
  titleSetBy: "user",
  created: at(number),
  updated: at(number),
  messageCount: messages,
  model: null,
  settings: {},
  folderId: null,
  topicId: null,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
  workingDirectory: null,
  workspace: null,
  enabledCustomInstructionIds: [],
  nextSeq: messages + 1,
});

const message = (owner: number, seq: number): Message => ({
  id: `${filledId(owner)}-${seq}`,
  conversationId: filledId(owner),
  seq,
  role: seq % 2 === 1 ? "user" : "assistant",
  type: seq % 2 === 1 ? "user" : "assistant",
  content: `${filledText(seq)} ${"Some words of an ordinary message. ".repeat(10)}`,
  timestamp: at(seq),
  runId: null,
  visible: true,
});

/**
 * Writes a store with conversation 0, which has so many messages, and so many empty conversations from 1 on.
 */
export async function fillStore(
  dataDirectory: string,
  size: { readonly messages: number; readonly conversations: number },
): Promise<void> {
  const storage: Storage = await openChosen({ dataDirectory, log }, { durability: "process" });
  const { commit } = openStores(storage);
  const numbers = (from: number, size: number) =>
    Array.from({ length: Math.max(0, Math.min(1000, size - from)) }, (_, index) => from + index + 1);
  for (let from = 0; from < Math.max(size.messages, size.conversations); from += 1000) {
    await commit(
      numbers(from, size.messages).map((seq) => ({ collection: "messages", put: message(0, seq) })),
    );
    await commit(
      numbers(from, size.conversations).map((number) => ({
        collection: "conversations",
        put: conversation(number, 0),
      })),
    );
  }
  await commit([{ collection: "conversations", put: conversation(0, size.messages) }]);
  await storage.close();
}
