import type { FromSchema, JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const object = { type: "object" } as const;

/** Fields that make the prompt of a model. */
const promptProperties = {
  model: { type: "string", minLength: 1, description: "Model id with or without prefix, or `default`" },
  messages: { type: "array", minItems: 1, items: object, description: "The conversation, oldest first" },
  system: {
    anyOf: [text, { type: "array", items: object }],
    description: "System prompt, behind the service's own",
  },
  tools: {
    type: "array",
    items: object,
    description: "Tools of the caller; names of built-in families select those",
  },
  tool_choice: object,
  thinking: object,
  output_config: object,
} as const satisfies Properties;

export const messageBody = {
  type: "object",
  properties: {
    ...promptProperties,
    max_tokens: { type: "integer", minimum: 1, description: "Per model call" },
    stream: { type: "boolean", description: "Answer as a stream of server-sent events" },
    temperature: { type: "number", minimum: 0, maximum: 1 },
    top_p: { type: "number", minimum: 0, maximum: 1 },
    stop_sequences: { type: "array", items: text },
    metadata: { type: "object", properties: { user_id: { type: ["string", "null"] } } },
    conversation_id: { type: "string", description: "UUID or alias; absent = a new conversation" },
  },
  required: ["model", "messages", "max_tokens"],
} as const satisfies JsonSchema;

export type MessageBody = FromSchema<typeof messageBody>;

export const countBody = {
  type: "object",
  properties: promptProperties,
  required: ["model", "messages"],
} as const satisfies JsonSchema;

/** What both routes take. */
export type PromptBody = FromSchema<typeof countBody>;
