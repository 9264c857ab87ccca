import type { ChatMessage, ContentPart, JsonObject } from "@pergola/sdk";

function wirePart(part: ContentPart): JsonObject {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", image_url: part.image_url.url, detail: part.image_url.detail ?? "auto" };
}

const textOf = (content: ChatMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");

const hasParts = (content: ChatMessage["content"]): content is readonly ContentPart[] =>
  Array.isArray(content);

/** One message as the items of an input: what an assistant said, then what it called. */
export function wireItems({
  role,
  content,
  toolCalls = [],
  toolCallId = "",
}: ChatMessage): readonly JsonObject[] {
  if (role === "tool")
    return [{ type: "function_call_output", call_id: toolCallId, output: textOf(content) }];
  const isUsers = role === "user" && hasParts(content);
  const said =
    textOf(content) === "" && !isUsers
      ? []
      : [{ role, content: isUsers ? content.map(wirePart) : textOf(content) }];
  return [
    ...said,
    ...toolCalls.map(({ id, name, arguments: args }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: args,
    })),
  ];
}
