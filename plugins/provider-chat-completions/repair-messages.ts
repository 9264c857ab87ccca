import { defined, type ChatMessage, type ContentPart, type ToolCall } from "@pergola/sdk";
import {
  contentText,
  mergeNeighbours,
  noOutput,
  noResult,
  unpairedResultTitle,
  pairCalls,
  partsOf,
  nonEmpty,
} from "@pergola/kit-provider";

type Content = ChatMessage["content"];

const roles: ReadonlySet<string> = new Set(["system", "user", "assistant", "tool"]);

const missingResult = JSON.stringify({ success: false, message: noResult });

const hasCalls = ({ toolCalls = [] }: ChatMessage): boolean => toolCalls.length > 0;

function isEmpty(content: Content): boolean {
  if (typeof content === "string") return content.trim() === "";
  return partsOf(content).length === 0;
}

/** Roles that the format does not know (`developer`) are system. */
const withKnownRole = (message: ChatMessage): ChatMessage =>
  roles.has(message.role) ? message : { ...message, role: "system" };

const unpairedResult = (message: ChatMessage): ChatMessage => ({
  role: "user",
  content: `${unpairedResultTitle(message)}\n${contentText(message.content)}`,
});

function resultOf({ id, name }: ToolCall, result: ChatMessage | undefined): ChatMessage {
  if (result === undefined)
    return {
      role: "tool",
      toolCallId: id,
      name,
      content: missingResult,
    };
  if (isEmpty(result.content)) return { ...result, content: noOutput };
  return result;
}

const isPicture = ({ type }: ContentPart): boolean => type === "image_url";

/** Pictures may stand in the person's messages only: those of results go into one behind all of them. */
function withPictures(results: readonly ChatMessage[]): readonly ChatMessage[] {
  const pictures = results.flatMap(({ name = "a tool", content }) => {
    const own = partsOf(content).filter(isPicture);
    return own.length === 0 ? [] : [{ type: "text" as const, text: `Pictures from ${name}:` }, ...own];
  });
  if (pictures.length === 0) return results;
  const texts = results.map((result) => ({ ...result, content: contentText(result.content) || noOutput }));
  return [...texts, { role: "user", content: pictures }];
}

/** Puts the results of a message's calls right after it, in the order of the calls. */
function withResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return pairCalls(messages).flatMap(({ message, results }) => {
    if (message.role === "tool") return [unpairedResult(message)];
    const { toolCalls = [] } = message;
    return [message, ...withPictures(toolCalls.map((call, index) => resultOf(call, results[index])))];
  });
}

function joinContent(first: Content, second: Content): Content {
  if (first === null || first === "") return second;
  if (second === null || second === "") return first;
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

/** Two messages of one role become one; an assistant's calls end its message. */
function merge(first: ChatMessage, second: ChatMessage): ChatMessage | undefined {
  const isSameSpeaker = first.role === second.role && first.name === second.name;
  if (!isSameSpeaker || first.role === "tool" || hasCalls(first)) return undefined;
  const reasoning = [first.reasoning, second.reasoning].filter((text) => text !== undefined);
  return defined({
    ...first,
    ...second,
    content: joinContent(first.content, second.content),
    reasoning: reasoning.join("\n\n") || undefined,
    extra: nonEmpty({ ...first.extra, ...second.extra }),
  });
}

/** Where the template allows system messages only at the beginning, a later one becomes the user's. */
function withoutLateSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const start = messages.findIndex(({ role }) => role !== "system");
  return messages.map((message, index) => {
    const isLate = start >= 0 && index > start && message.role === "system";
    if (isLate) return { ...message, role: "user" };
    return message;
  });
}

const hasContent = (message: ChatMessage): boolean =>
  message.role === "tool" || hasCalls(message) || !isEmpty(message.content);

/**
 * A conversation that every server of the format accepts: known roles, no empty message, every tool call
 * answered right after its message, no answer without a call, no two messages of one role in a row. A sound
 * conversation comes out as it went in.
 */
export function repairMessages(
  messages: readonly ChatMessage[],
  { lateSystem }: { readonly lateSystem: boolean },
): readonly ChatMessage[] {
  const used = messages.map(withKnownRole).filter(hasContent);
  return mergeNeighbours(withResults(lateSystem ? used : withoutLateSystem(used)), merge);
}
