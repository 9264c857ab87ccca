import type { ChatMessage, ContentPart, ToolCall } from "@pergola/sdk";

const roles: ReadonlySet<string> = new Set(["system", "user", "assistant", "tool"]);

const unanswered = JSON.stringify({ success: false, message: "No result of this call is known." });

const textOf = (content: ChatMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");

const callsOf = ({ toolCalls = [] }: ChatMessage): readonly ToolCall[] => toolCalls;

const isEmpty = ({ content }: ChatMessage): boolean =>
  typeof content === "string" ? content.trim() === "" : (content ?? []).length === 0;

/** Roles that the format does not know (`developer`) are system. */
const knownRole = (message: ChatMessage): ChatMessage =>
  roles.has(message.role) ? message : { ...message, role: "system" };

/** A tool message whose call is not there any more is told as text. */
const asText = ({ name, content }: ChatMessage): ChatMessage => ({
  role: "user",
  content: `Result of ${name ?? "a tool"}:\n${textOf(content)}`,
});

const answerTo = ({ id, name }: ToolCall, found: ChatMessage | undefined): ChatMessage => {
  if (found === undefined) return { role: "tool", toolCallId: id, name, content: unanswered };
  return isEmpty(found) ? { ...found, content: "(no output)" } : found;
};

/** The answer to a call of message `at`: the next tool message of that id, before the id is used again. */
function findAnswer(
  messages: readonly ChatMessage[],
  at: number,
  id: string,
  used: ReadonlySet<number>,
): number {
  for (let index = at + 1; index < messages.length; index++) {
    const { role, toolCallId, toolCalls } = messages[index] as ChatMessage;
    if (role === "tool" && toolCallId === id && !used.has(index)) return index;
    if (toolCalls?.some((call) => call.id === id) === true) return -1;
  }
  return -1;
}

/** Puts every call's answer right behind its message, in the order of the calls. */
function pairAnswers(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const used = new Set<number>();
  return messages.flatMap((message, at) => {
    if (used.has(at)) return [];
    if (message.role === "tool") return [asText(message)];
    const answers = callsOf(message).map((call) => {
      const found = findAnswer(messages, at, call.id, used);
      if (found >= 0) used.add(found);
      return answerTo(call, messages[found]);
    });
    return [message, ...answers];
  });
}

const partsOf = (content: ChatMessage["content"]): readonly ContentPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

function joined(first: ChatMessage["content"], second: ChatMessage["content"]): ChatMessage["content"] {
  if (first === null || first === "") return second;
  if (second === null || second === "") return first;
  return typeof first === "string" && typeof second === "string"
    ? `${first}\n\n${second}`
    : [...partsOf(first), ...partsOf(second)];
}

/** Two messages of one role say the same as one; an assistant's calls end its message. */
function merge(first: ChatMessage, second: ChatMessage): ChatMessage | undefined {
  const alike = first.role === second.role && first.role !== "tool" && first.name === second.name;
  if (!alike || callsOf(first).length > 0) return undefined;
  const reasoning = [first.reasoning, second.reasoning].filter((text) => text !== undefined).join("\n\n");
  return {
    ...first,
    ...second,
    content: joined(first.content, second.content),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(first.extra === undefined && second.extra === undefined
      ? {}
      : { extra: { ...first.extra, ...second.extra } }),
  };
}

function mergeNeighbours(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const both = last === undefined ? undefined : merge(last, message);
    if (both === undefined) merged.push(message);
    else merged[merged.length - 1] = both;
  }
  return merged;
}

/** Where the template allows system messages only at the beginning, a later one is told as the user's. */
function settleSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const begun = messages.findIndex(({ role }) => role !== "system");
  return messages.map((message, at) =>
    message.role === "system" && begun >= 0 && at > begun ? { ...message, role: "user" } : message,
  );
}

const saysSomething = (message: ChatMessage): boolean =>
  message.role === "tool" || callsOf(message).length > 0 || !isEmpty(message);

/**
 * A conversation that every server of the format accepts: known roles, no empty message, every tool call
 * answered right behind its message, no answer without a call, no two messages of one role in a row. A sound
 * conversation comes out as it went in.
 */
export function repairMessages(
  messages: readonly ChatMessage[],
  { lateSystem }: { readonly lateSystem: boolean },
): readonly ChatMessage[] {
  const said = messages.map(knownRole).filter(saysSomething);
  return mergeNeighbours(pairAnswers(lateSystem ? said : settleSystem(said)));
}
