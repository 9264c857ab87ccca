import type { ChatMessage, Message } from "@pergola/sdk";
import { messageText, type CompletionReason } from "@pergola/sdk/host";
import type { Turn } from "./turns.ts";

/** How far a turn is matched. */
export interface TurnMatch {
  /** How many of the turn's messages are behind the match. */
  readonly next: number;
  /** The client knows what the turn says; what else it holds may be missing. */
  readonly isKnown: boolean;
}

export const nothing: TurnMatch = { next: 0, isKnown: false };

const normal = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
const compact = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, "");

const hasText = ({ content }: Message): boolean => (content ?? "").trim() !== "";

/** Whether a client may leave a turn out: it shows no text, or it is an answer of the caller's own tools. */
export function mayBeMissing({ kind, messages }: Turn): boolean {
  if (kind === "reply")
    return !messages.some((message) => message.role === "assistant" && message.visible && hasText(message));
  return kind === "answer";
}

const cutShort: ReadonlySet<string> = new Set<CompletionReason>([
  "cancelled",
  "error",
  "tool_execution_failed",
]);

/**
 * The ways in which a message that a client sent can be a part of a stored turn, beyond what is passed
 * already. Contents are compared after NFC and with white space collapsed.
 */
export function matchTurn(
  sent: ChatMessage,
  { kind, messages }: Turn,
  passed: TurnMatch = nothing,
): readonly TurnMatch[] {
  // Some clients send the calls of a message behind its text, or each call by itself, as further messages.
  const from = sent.toolCalls === undefined ? passed.next : passed.next - 1;
  const matches = messages.flatMap((message, index) => {
    if (!isSame(sent, message) || (index < from && message.role !== "tool")) return [];
    const isKnown = passed.isKnown || kind !== "reply" || message.role === "assistant";
    return [{ next: Math.max(passed.next, index + 1), isKnown }];
  });
  if (kind !== "reply" || passed.isKnown || !isWhole(sent, messages)) return matches;
  return [...matches, { next: messages.length, isKnown: true }];
}

function isSame(sent: ChatMessage, message: Message): boolean {
  const ids = sent.toolCalls?.map(({ id }) => id) ?? [];
  if (ids.length > 0) return madeCalls(message, ids);
  if (sent.toolCallId !== undefined && sent.toolCallId === message.toolCallId) return true;
  const text = normal(messageText(sent));
  return text !== "" && canBe(sent, message) && text === normal(message.content ?? "");
}

const madeCalls = ({ toolCalls = [] }: Message, ids: readonly string[]): boolean =>
  ids.every((id) => toolCalls.some((call) => call.id === id || call.providerId === id));

/** A client that knows no tools may send what a tool answered as text of either side. */
const canBe = ({ role }: ChatMessage, message: Message): boolean =>
  role === message.role || message.role === "tool";

/** Whether a text is all that a reply says, or as much of it as the client of a run that was cut has seen. */
function isWhole(sent: ChatMessage, messages: readonly Message[]): boolean {
  const text = normal(messageText(sent));
  if (sent.role !== "assistant" || text === "") return false;
  const last = messages.findLast(({ role, runId }) => role === "assistant" && runId !== null);
  const streamed = normal(last?.streamedText ?? last?.content ?? "");
  const parts = messages.filter(({ role }) => role === "assistant").map(({ content }) => content ?? "");
  if (messages.some((message) => wasNoted(text, message))) return true;
  if (text === streamed || compact(text) === compact(parts.join(""))) return true;
  return isCut(last) && (streamed.startsWith(text) || text.startsWith(`${streamed} Error: `.trimStart()));
}

/** Whether the text ends with the line that a call waited: of the run, the client may have seen no more. */
const wasNoted = (text: string, { role, streamedText }: Message): boolean =>
  role === "tool" && streamedText !== undefined && text === normal(streamedText);

const isCut = (last: Message | undefined): boolean => cutShort.has(last?.completionReason ?? "");
