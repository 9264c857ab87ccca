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
    description:
      "Tools of the caller; an entry named like a built-in family and without parameters selects that",
  },
  tool_choice: object,
  thinking: object,
  output_config: object,
  output_format: { ...object, description: "The older name of output_config.format" },
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
    thread: {
      type: ["object", "null"],
      description: "Of type continue: 400 thread_not_found, so that the client sends the history",
    },
    top_k: { type: ["integer", "null"], description: "Left out with a warning" },
    mcp_servers: { type: ["array", "null"], description: "Left out with a warning" },
    container: { anyOf: [text, object, { type: "null" }], description: "Left out with a warning" },
    conversation_id: { type: "string", description: "UUID or alias; absent = a new conversation" },
  },
  required: ["model", "messages", "max_tokens"],
  examples: [{ model: "default", max_tokens: 1000, messages: [{ role: "user", content: "Hello" }] }],
} as const satisfies JsonSchema;

export type MessageBody = FromSchema<typeof messageBody>;

export const countBody = {
  type: "object",
  properties: promptProperties,
  required: ["model", "messages"],
  examples: [{ model: "default", messages: [{ role: "user", content: "Hello" }] }],
} as const satisfies JsonSchema;

/** What both routes take. */
export type PromptBody = FromSchema<typeof countBody>;
