import type { ChatMessage, ContentPart, JsonObject } from "@pergola/sdk";
import { contentText } from "@pergola/kit-provider";

function wirePart(part: ContentPart): JsonObject {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", image_url: part.image_url.url, detail: part.image_url.detail ?? "auto" };
}

function wireMessage({ role, content }: ChatMessage): readonly JsonObject[] {
  if (role === "user" && Array.isArray(content))
    return [{ role, content: (content as readonly ContentPart[]).map(wirePart) }];
  const text = contentText(content);
  if (text === "") return [];
  return [{ role, content: text }];
}

/** One message as the items of an input: what an assistant wrote, then what it called. */
export function wireItems(message: ChatMessage): readonly JsonObject[] {
  const { role, content, toolCalls = [], toolCallId = "" } = message;
  if (role === "tool")
    return [{ type: "function_call_output", call_id: toolCallId, output: contentText(content) }];
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: args,
  }));
  return [...wireMessage(message), ...calls];
}
