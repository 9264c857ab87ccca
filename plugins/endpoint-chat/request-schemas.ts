import type { JsonSchema } from "@pergola/sdk";

const text = { type: "string" } as const;
const object = { type: "object" } as const;

const partSchema: JsonSchema = {
  title: "ContentPart",
  type: "object",
  required: ["type"],
  properties: {
    type: { ...text, description: "text or image_url" },
    text,
    image_url: {
      type: "object",
      required: ["url"],
      properties: { url: { ...text, description: "https or a data URL" }, detail: text },
    },
  },
};

/** A message of a request. The route reads it with messages of its own for what is wrong. */
export const messageSchema: JsonSchema = {
  title: "ChatMessage",
  type: "object",
  required: ["role"],
  properties: {
    role: { enum: ["user", "assistant", "system", "developer", "tool"] },
    content: {
      anyOf: [text, { type: "array", items: partSchema }, { type: "null" }],
      description: "null on an assistant message with calls; of the role tool the result",
    },
    tool_calls: { type: "array", items: object, description: "Calls as they stood in the answer" },
    tool_call_id: { ...text, description: "Of the role tool: the call that is answered" },
    name: text,
  },
};

/** A tool of a request. */
export const toolSchema: JsonSchema = {
  title: "Tool",
  type: "object",
  required: ["type"],
  properties: {
    type: { enum: ["function", "custom"] },
    function: {
      type: "object",
      required: ["name"],
      properties: {
        name: text,
        description: text,
        parameters: { ...object, description: "A JSON Schema of type object" },
        strict: { type: ["boolean", "null"] },
      },
    },
    custom: {
      type: "object",
      required: ["name"],
      properties: { name: text, description: text, format: object },
    },
  },
};
