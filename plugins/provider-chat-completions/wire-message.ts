import {
  defined,
  stringOf,
  type ChatMessage,
  type ContentPart,
  type Json,
  type JsonObject,
} from "@pergola/sdk";
import { contentText, imageLeftOut, nonEmpty, wireToolCall } from "@pergola/kit-provider";
import type { Preset, Replay } from "./preset.ts";

const withoutImage = (part: ContentPart): ContentPart =>
  part.type === "text" ? part : { type: "text", text: imageLeftOut };

/** Parts that are all text become one text, which every server takes. */
function wireContent({ role, content }: ChatMessage, images: boolean): Json {
  if (content === "" && role === "assistant") return null;
  if (content === null || typeof content === "string") return content;
  const parts = images ? content : content.map(withoutImage);
  if (parts.every(({ type }) => type === "text")) return contentText(parts);
  return parts;
}

function wireReasoning({ reasoning, extra }: ChatMessage, { field, required }: Replay): JsonObject {
  const text = reasoning ?? stringOf(extra?.["reasoning_content"]);
  if (text === "" && required !== true) return {};
  if (field !== "reasoning_details") return { [field]: text };
  return { [field]: [{ type: "reasoning.text", format: "MiniMax-response-v1", index: 0, text }] };
}

/** Earlier reasoning, on the messages where the vendor wants it. */
function replayOf(message: ChatMessage, isInTurn: boolean, replay: Replay | undefined): JsonObject {
  if (message.role !== "assistant" || replay === undefined) return {};
  if (isInTurn || replay.scope === "all") return wireReasoning(message, replay);
  return {};
}

/** One message as the vendor reads it. `isInTurn`: it stands after the newest user message. */
export function wireMessage(message: ChatMessage, isInTurn: boolean, preset: Preset): JsonObject {
  const { role, toolCalls = [], toolCallId, name, extra = {} } = message;
  const { images, replay, messageKeys } = preset;
  const known = Object.entries(extra).filter(([key]) => messageKeys.includes(key));
  const wire = defined({
    role,
    content: wireContent(message, images),
    tool_calls: nonEmpty(toolCalls.map(wireToolCall)),
    tool_call_id: toolCallId,
    name: role === "tool" ? undefined : name,
  });
  return { ...wire, ...replayOf(message, isInTurn, replay), ...Object.fromEntries(known) };
}
