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
import { matchTurn } from "./history/match-turn.ts";
import { openCallsOf, type Turn } from "./history/turns.ts";
import { cancelledAnswer, storedMessage } from "./message-forms.ts";

/**
 * What a request changes in its conversation, `topic` being the one that it names and `texts` the prompts and
 * the personality: the conversation goes on as it was held last.
 */
export function requestedFields(
  { request, model }: AskedRun,
  topic: Topic | undefined,
  texts: ConversationFields,
): ConversationFields {
  const { workingDirectory, sharedMemory: useSharedData, sampling } = request;
  const { temperature, topP, maxTokens, repetitionPenalty } = sampling;
  const settings = {
    ...texts.settings,
    ...defined({ temperature, topP, maxTokens, repetitionPenalty, useSharedData }),
  };
  return { ...texts, ...defined({ model, workingDirectory, topicId: topic?.id, settings }) };
}

/** A run that is about to begin. */
export interface AskedRun {
  readonly id: string;
  readonly request: RunRequest;
  /** The full id of its model. */
  readonly model?: string;
  /** The branch that it continues; absent: the active one. */
  readonly branch?: number;
  /** Its conversation begins with it: nothing of that is stored. */
  readonly isNew?: boolean;
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

/** The messages of a request that names the message below which they go, after `turns`, the last of them. */
export const placeBelow = (
  run: AskedRun,
  below: Message | null,
  turns: readonly Turn[],
): MergedRequest["messages"] => {
  const sent = historyOf(run.request.messages);
  if (sent.length === 0 && below?.role !== "user")
    throw new AppError({
      code: "invalid_value",
      message: "Only a message of the person can be answered anew; send a new message below any other.",
      param: "parentMessageId",
    });
  const abandoned = checkAnswers(sent, sent, openCallsOf(turns));
  return [...closed(abandoned), ...sent.map((message) => messageFor(run, message))];
};

/** Answers to calls that nobody answers any more. */
const closed = (calls: readonly string[]): MergedRequest["messages"] =>
  calls.map((id) => ({ ...storedMessage(cancelledAnswer(id)), visible: false }));

/** Whether a whole history begins with these messages, and begins otherwise than the branch. */
function beginAnew(sent: readonly ChatMessage[], [first]: readonly Turn[]): boolean {
  const [begin] = sent;
  if (first === undefined || begin === undefined) return false;
  return sent.every(({ role }) => role === "user") && matchTurn(begin, first).length === 0;
}

/** Finds the place of a request's messages by the history that they repeat. */
export function mergeRequest(run: AskedRun, turns: BranchTurns): MergedRequest {
  const sent = historyOf(run.request.messages);
  if (run.request.sendsWholeHistory === true && beginAnew(sent, turns.first))
    return { messages: sent.map((message) => messageFor(run, message)), below: null };
  const { abandonedCalls, append, below } = placeRequest(sent, turns);
  const messages = [...closed(abandonedCalls), ...append.map((message) => messageFor(run, message))];
  return defined({ messages, below });
}
