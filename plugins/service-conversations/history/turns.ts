import type { Message } from "@pergola/sdk";

/**
 * What one side contributes before the other goes on: a message of the person, an answer of the caller to a
 * call of its own tools, or a reply: all that one run has stored, from its first text to its last.
 */
export interface Turn {
  readonly kind: "user" | "answer" | "reply";
  readonly messages: readonly Message[];
}

const callIdsOf = ({ toolCalls = [] }: Message, isCallers: boolean): readonly string[] =>
  toolCalls.filter(({ callers = false }) => callers === isCallers).map(({ id }) => id);

const kindOf = (message: Message, callersCalls: ReadonlySet<string>): Turn["kind"] => {
  if (message.role === "user" && message.visible) return "user";
  return callersCalls.has(message.toolCallId ?? "") ? "answer" : "reply";
};

/** Groups neighboring messages of a branch into turns. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: { readonly kind: Turn["kind"]; readonly messages: Message[] }[] = [];
  const callersCalls = new Set<string>();
  for (const message of messages) {
    for (const id of callIdsOf(message, true)) callersCalls.add(id);
    const kind = kindOf(message, callersCalls);
    const last = turns.at(-1);
    if (kind === "reply" && last?.kind === "reply" && isOneRun(last.messages, message))
      last.messages.push(message);
    else turns.push({ kind, messages: [message] });
  }
  return turns;
}

/** Answers to calls that a caller sent as its own history have no run; they belong to the message before. */
const isOneRun = (messages: readonly Message[], { role, runId }: Message): boolean =>
  runId === messages[0]?.runId && (runId !== null || role === "tool");

/** The caller's calls that wait for an answer at the end of these turns. */
export function openCallsOf(turns: readonly Turn[]): readonly string[] {
  const reply = turns.findLastIndex(({ kind }) => kind !== "answer");
  const answered = new Set(
    turns.slice(reply + 1).flatMap(({ messages }) => messages.map(({ toolCallId }) => toolCallId)),
  );
  const asked = turns[reply]?.messages.flatMap((message) => callIdsOf(message, true)) ?? [];
  return asked.filter((id) => !answered.has(id));
}
