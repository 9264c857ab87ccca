import type {
  ChatMessage,
  ContentPart,
  FinishReason,
  Json,
  JsonObject,
  ModelCallSummary,
  ToolCall,
} from "@pergola/sdk";
import type { ModelCallContent } from "@pergola/sdk/host";
import { attribute } from "./gen-ai.ts";

type Part = JsonObject;

/** Characters of one text, and of the messages of one call; what is older is left out. */
const [longestText, mostCharacters] = [16_384, 131_072];

export const cut = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText)}…`;

const textPart = (content: string): Part => ({ type: "text", content: cut(content) });

function partOf(part: ContentPart): Part {
  if (part.type === "text") return textPart(part.text);
  const { url } = part.image_url;
  if (url.startsWith("data:")) return { type: "blob", modality: "image" };
  return { type: "uri", modality: "image", uri: cut(url) };
}

function partsOf(content: ChatMessage["content"]): readonly Part[] {
  if (content === null || content === "") return [];
  return typeof content === "string" ? [textPart(content)] : content.map(partOf);
}

function argumentsOf(text: string): Json {
  try {
    return text.length <= longestText ? (JSON.parse(text) as Json) : cut(text);
  } catch {
    return text;
  }
}

const callPart = ({ id, name, arguments: text }: ToolCall): Part => ({
  type: "tool_call",
  id,
  name,
  arguments: argumentsOf(text),
});

const reasoningParts = (reasoning = ""): readonly Part[] =>
  reasoning === "" ? [] : [{ type: "reasoning", content: cut(reasoning) }];

function resultPart({ content, toolCallId }: ChatMessage): Part {
  const response: Json = typeof content === "string" ? cut(content) : [...partsOf(content)];
  return { type: "tool_call_response", id: toolCallId ?? null, response };
}

function messageOf(message: ChatMessage): JsonObject {
  const { role, content, toolCalls = [], reasoning } = message;
  if (role === "tool") return { role, parts: [resultPart(message)] };
  return { role, parts: [...reasoningParts(reasoning), ...partsOf(content), ...toolCalls.map(callPart)] };
}

/** The newest that fit. */
function newest(messages: readonly ChatMessage[]): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  let characters = 0;
  for (const message of messages.toReversed()) {
    const made = messageOf(message);
    characters += JSON.stringify(made).length;
    if (characters > mostCharacters) break;
    kept.unshift(made);
  }
  return kept;
}

function answerOf({ text, reasoning, calls }: ModelCallContent, finish: string): JsonObject {
  const parts = [...reasoningParts(reasoning), ...partsOf(text), ...calls.map(callPart)];
  return { role: "assistant", parts, finish_reason: finish };
}

/** The conventions' word for why an answer ended; there is none for one that broke off but `error`. */
const finishOf = (reason: FinishReason | undefined): string =>
  reason === "tool_calls" ? "tool_call" : (reason ?? "error");

/** The texts of a model call, by their attributes, in the forms of the conventions. */
export function contentOf({
  content,
  finishReason,
}: ModelCallSummary): Readonly<Record<string, readonly JsonObject[]>> {
  if (content === undefined) return {};
  const whole = content();
  const system = whole.messages.filter(({ role }) => role === "system");
  const rest = whole.messages.filter(({ role }) => role !== "system");
  return {
    [attribute.system]: system.flatMap((message) => partsOf(message.content)),
    [attribute.inputMessages]: newest(rest),
    [attribute.outputMessages]: [answerOf(whole, finishOf(finishReason))],
  };
}
