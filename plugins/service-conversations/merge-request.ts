import {
  AppError,
  defined,
  type ChatMessage,
  type ConversationFields,
  type Message,
  type RunRequest,
} from "@pergola/sdk";
import type { Topic } from "@pergola/sdk/host";
import { checkAnswers, historyOf, placeRequest, type BranchTurns } from "./history/place-request.ts";
import { openCallsOf, turnsOf } from "./history/turns.ts";
import { cancelledAnswer, storedMessage } from "./message-forms.ts";

/** What a request changes in its conversation, `topic` being the one that it names. */
export function requestedFields(request: RunRequest, topic: Topic | undefined): ConversationFields {
  const { workingDirectory, sharedMemory: useSharedData } = request;
  const fields = defined({ workingDirectory, topicId: topic?.id });
  if (useSharedData === undefined) return fields;
  return { ...fields, settings: { useSharedData } };
}

/** A run that is about to begin. */
export interface AskedRun {
  readonly id: string;
  readonly request: RunRequest;
  /** The branch that it continues; absent: the active one. */
  readonly branch?: number;
}

/** What the person and the caller's tools say belongs to the run that they begin. */
const messageFor = ({ id }: AskedRun, message: ChatMessage): Partial<Message> => {
  const isNew = message.role === "user" || message.role === "tool";
  return { ...storedMessage(message), ...(isNew && { runId: id }) };
};

/** What of a request is new, as messages to be appended. */
export interface MergedRequest {
  readonly messages: readonly Partial<Message>[];
  /** The message below which they begin a branch, null = at the beginning; undefined = the tip. */
  readonly below?: Message | null;
}

/** The messages of a request that names the message below which they go. */
export const placeBelow = (run: AskedRun, below: Message | null): MergedRequest["messages"] => {
  const sent = historyOf(run.request.messages);
  if (sent.length === 0 && below?.role !== "user")
    throw new AppError({
      code: "invalid_value",
      message: "Only a message of the person can be answered anew; send a new message below any other.",
      param: "parentMessageId",
    });
  checkAnswers(sent, sent, below === null ? [] : openCallsOf(turnsOf([below])));
  return sent.map((message) => messageFor(run, message));
};

/** Finds the place of a request's messages by the history that they repeat. */
export function mergeRequest(run: AskedRun, turns: BranchTurns): MergedRequest {
  const { abandonedCalls, append, below } = placeRequest(historyOf(run.request.messages), turns);
  const abandoned = abandonedCalls.map((id) => ({ ...storedMessage(cancelledAnswer(id)), visible: false }));
  return defined({ messages: [...abandoned, ...append.map((message) => messageFor(run, message))], below });
}
