import type { JsonObject, JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const object = { type: "object" } as const;

/** Fields that say what a model is shown. */
const shown = {
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

export const messageBody: JsonSchema = {
  type: "object",
  properties: {
    ...shown,
    max_tokens: { type: "integer", minimum: 1, description: "Per model call" },
    stream: { type: "boolean", description: "Answer as a stream of server-sent events" },
    temperature: { type: "number", minimum: 0, maximum: 1 },
    top_p: { type: "number", minimum: 0, maximum: 1 },
    stop_sequences: { type: "array", items: text },
    metadata: { type: "object", properties: { user_id: { type: ["string", "null"] } } },
    conversation_id: { type: "string", description: "UUID or alias; absent = a new conversation" },
  },
  required: ["model", "messages", "max_tokens"],
};

export const countBody: JsonSchema = { type: "object", properties: shown, required: ["model", "messages"] };

/** What both routes take, checked by the schemas. */
export interface ShownBody {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly system?: string | readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly tool_choice?: JsonObject;
  readonly thinking?: JsonObject;
  readonly output_config?: JsonObject;
}

export interface MessageBody extends ShownBody {
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop_sequences?: readonly string[];
  readonly metadata?: { readonly user_id?: string | null };
  readonly conversation_id?: string;
}
