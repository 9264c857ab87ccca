import type { ChatMessage, ContentPart, Json, JsonObject } from "@pergola/sdk";
import type { Preset, Replay } from "./preset.ts";

const leftOut = "[an image was left out]";

const withoutImages = (part: ContentPart): ContentPart =>
  part.type === "text" ? part : { type: "text", text: leftOut };

/** Parts that are all text become one text, which every server takes. */
function wireContent(content: ChatMessage["content"], images: boolean): Json {
  if (content === null || typeof content === "string") return content;
  const parts = images ? content : content.map(withoutImages);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n") : parts;
}

function wireReasoning({ reasoning, extra }: ChatMessage, { field, required }: Replay): JsonObject {
  const given = extra?.["reasoning_content"];
  const text = reasoning ?? (typeof given === "string" ? given : "");
  if (text === "" && required !== true) return {};
  return {
    [field]:
      field === "reasoning_details"
        ? [{ type: "reasoning.text", format: "MiniMax-response-v1", index: 0, text }]
        : text,
  };
}

const wireExtra = (extra: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(extra).filter(([key]) => keys.includes(key)));

/** One message as the vendor reads it. `inTurn`: it stands behind the newest user message. */
export function wireMessage(
  message: ChatMessage,
  inTurn: boolean,
  { images, replay, messageKeys }: Preset,
): JsonObject {
  const { role, content, toolCalls, toolCallId, name, extra } = message;
  const replayed =
    role === "assistant" && replay !== undefined && (inTurn || replay.scope === "all")
      ? wireReasoning(message, replay)
      : {};
  return {
    role,
    content: content === "" && role === "assistant" ? null : wireContent(content, images),
    ...(toolCalls === undefined || toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    ...(name === undefined || role === "tool" ? {} : { name }),
    ...replayed,
    ...(extra === undefined ? {} : wireExtra(extra, messageKeys)),
  };
}
