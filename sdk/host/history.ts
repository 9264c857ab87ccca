import { AppError } from "../contract/errors.ts";
import type { ChatMessage } from "../contract/provider.ts";

/** A stored turn that the client has seen, reduced to what merging compares. */
export interface StoredTurn {
  readonly seq: number;
  readonly role: ChatMessage["role"];
  readonly content: string;
  /** All text that was streamed in the turn's run. */
  readonly streamedText?: string;
  /** Its run was cancelled or failed: the client may have seen less of it. */
  readonly cut?: boolean;
  readonly toolCallId?: string;
  /** Ids of the caller's calls it made. */
  readonly callIds?: readonly string[];
}

/** How a client's messages and a stored conversation fit together. */
export interface Merge {
  readonly append: readonly ChatMessage[];
  /** Stored turns with a higher number are superseded. */
  readonly keepUpTo?: number;
  /** Open calls of the caller that nobody will answer any more. */
  readonly abandonedCalls: readonly string[];
}

const normal = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim();

/** The text of a message; an image is represented by its URL. */
export function messageText({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  const texts = (content ?? []).map((part) => (part.type === "text" ? part.text : part.image_url.url));
  return texts.join("\n");
}

function matches(incoming: ChatMessage, stored: StoredTurn): boolean {
  if (incoming.role !== stored.role) return false;
  if (incoming.role === "tool") return incoming.toolCallId === stored.toolCallId;
  const text = normal(messageText(incoming));
  const streamed = normal(stored.streamedText ?? stored.content);
  if (text === normal(stored.content) || text === streamed) return true;
  return (
    stored.cut === true &&
    text !== "" &&
    (streamed.startsWith(text) || text.startsWith(`${streamed} Error: `))
  );
}

/** The longest prefix of `incoming` that equals a suffix of `stored`. */
function overlap(incoming: readonly ChatMessage[], stored: readonly StoredTurn[]): number {
  for (let length = Math.min(incoming.length, stored.length); length > 0; length--) {
    const tail = stored.slice(stored.length - length);
    if (tail.every((turn, index) => matches(incoming[index] as ChatMessage, turn))) return length;
  }
  return 0;
}

/** The caller's calls that wait for an answer: those of the newest turn, answers aside. */
function openCalls(stored: readonly StoredTurn[]): readonly string[] {
  const caller = stored.findLastIndex(({ role }) => role !== "tool");
  const closed = new Set(stored.slice(caller + 1).map(({ toolCallId }) => toolCallId));
  return (stored[caller]?.callIds ?? []).filter((id) => !closed.has(id));
}

/**
 * Which of the client's turns are new. `first` and `last` are the beginning and the end of the stored visible
 * turns, each at least as long as `incoming` where there are that many. Throws `unknown_tool_call_id` and
 * `missing_tool_result`.
 */
export function mergeHistory(
  incoming: readonly ChatMessage[],
  first: readonly StoredTurn[],
  last: readonly StoredTurn[],
): Merge {
  const found = findNew(incoming, first, last);
  const { append, keepUpTo } = found;
  const remaining = keepUpTo === undefined ? last : first.filter(({ seq }) => seq <= keepUpTo);
  return { ...found, abandonedCalls: checkAnswers(append, incoming, openCalls(remaining)) };
}

function findNew(
  incoming: readonly ChatMessage[],
  first: readonly StoredTurn[],
  last: readonly StoredTurn[],
): Omit<Merge, "abandonedCalls"> {
  if (last.length === 0 || (incoming.length === 1 && incoming[0]?.role === "user"))
    return { append: incoming };
  const shared = overlap(incoming, last);
  if (shared > 0 && shared < incoming.length) return { append: incoming.slice(shared) };
  const differs = incoming.findIndex(
    (message, index) => first[index] === undefined || !matches(message, first[index]),
  );
  const same = differs < 0 ? incoming.length : differs;
  if (same > 0) return { append: incoming.slice(same), keepUpTo: first[same - 1]?.seq ?? 0 };
  return { append: incoming.slice(newFrom(incoming, openCalls(last))) };
}

/** Where nothing matches: the last user message, with answers to open calls before it. */
function newFrom(incoming: readonly ChatMessage[], open: readonly string[]): number {
  const user = incoming.findLastIndex(({ role }) => role === "user");
  let from = Math.max(0, user);
  while (open.includes(incoming[from - 1]?.toolCallId ?? "")) from--;
  return from;
}

/**
 * Every answer has its call, and every call its answer unless the conversation went on without it. The stored
 * calls left open.
 */
function checkAnswers(
  append: readonly ChatMessage[],
  incoming: readonly ChatMessage[],
  open: readonly string[],
): readonly string[] {
  const idsOf = ({ toolCalls = [] }: ChatMessage): readonly string[] => toolCalls.map(({ id }) => id);
  const made = new Set([...open, ...incoming.flatMap(idsOf)]);
  const results = append.filter(({ role }) => role === "tool");
  const answers = new Set(results.map(({ toolCallId = "" }) => toolCallId));
  const unknown = [...answers].find((id) => !made.has(id));
  if (unknown !== undefined)
    throw refusal("unknown_tool_call_id", `No open tool call has the id "${unknown}".`);
  const caller = append.findLast(({ role }) => role !== "tool");
  const waiting = caller === undefined ? open : idsOf(caller);
  const unanswered = waiting.filter((id) => !answers.has(id));
  if (unanswered.length > 0)
    throw refusal("missing_tool_result", `These tool calls are not answered: ${unanswered.join(", ")}.`);
  return open.filter((id) => !answers.has(id));
}

const refusal = (code: string, message: string): AppError =>
  new AppError({ code, message, param: "messages" });
