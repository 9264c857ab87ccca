import { defined, type ConversationFields, type Message, type RunRequest, type Write } from "@pergola/sdk";
import { type Topic, mergeHistory } from "@pergola/sdk/host";
import { cancelledAnswer, storedMessage, toTurn } from "./message-forms.ts";

/** Visible messages of a conversation: its first ones and its last ones. */
export interface StoredTurns {
  readonly first: readonly Message[];
  readonly last: readonly Message[];
}

/** What a request changes in its conversation, `topic` being the one that it names. */
export function requestedFields(request: RunRequest, topic: Topic | undefined): ConversationFields {
  const { workingDirectory, sharedMemory: useSharedData } = request;
  const fields = defined({ workingDirectory, topicId: topic?.id });
  if (useSharedData === undefined) return fields;
  return { ...fields, settings: { useSharedData } };
}

/** The messages of a request that belong to the history. */
export const turnsOf = ({ messages }: RunRequest) => messages.filter(({ role }) => role !== "system");

/**
 * What of a request's turns is new, as messages to be appended, and the number of the last stored message
 * that still stands; undefined where all do.
 */
export function mergeRequest(request: RunRequest, { first, last }: StoredTurns) {
  const { abandonedCalls, append, keepUpTo } = mergeHistory(
    turnsOf(request),
    first.map(toTurn),
    last.map(toTurn),
  );
  const abandoned = abandonedCalls.map((id) => ({ ...storedMessage(cancelledAnswer(id)), visible: false }));
  return {
    upTo: keepUpTo,
    messages: [...abandoned, ...append.map((message) => storedMessage(message))],
  };
}

/** The writes that hide messages which no longer stand. */
export const superseding = (messages: readonly Message[]): readonly Write[] =>
  messages
    .filter(({ superseded }) => superseded !== true)
    .map((message) => ({
      collection: "messages",
      put: { ...message, superseded: true, visible: false },
    }));
