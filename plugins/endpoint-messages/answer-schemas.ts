import { metadataSchema, objectSchema, runFailures } from "@pergola/kit-provider";
import type { JsonSchema } from "@pergola/sdk";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const object = { type: "object" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const integerOrNull = { type: ["integer", "null"] } as const;

const stopReason = { enum: ["end_turn", "max_tokens", "tool_use", "refusal", null] } as const;

const block: JsonSchema = {
  title: "MessageBlock",
  anyOf: [
    objectSchema({ type: { const: "text" }, text, citations: { type: "null" } }),
    objectSchema({ type: { const: "thinking" }, thinking: text, signature: text }),
    objectSchema({ type: { const: "tool_use" }, id: text, name: text, input: object, caller: object }),
  ],
};

const usage = objectSchema(
  {
    input_tokens: integer,
    cache_creation_input_tokens: integerOrNull,
    cache_read_input_tokens: integerOrNull,
    output_tokens: integer,
  },
  [],
  { title: "MessageUsage", description: "Input that came from a cache is not part of input_tokens" },
);

const messageSchema = objectSchema(
  {
    id: text,
    type: { const: "message" },
    role: { const: "assistant" },
    model: text,
    content: { type: "array", items: block },
    stop_reason: stopReason,
    stop_sequence: textOrNull,
    usage,
    service_metadata: metadataSchema,
  },
  ["service_metadata"],
  { title: "AssistantMessage" },
);

/** The body of a failure in this format. */
export const failureSchema = objectSchema(
  {
    type: { const: "error" },
    error: objectSchema({ type: text, message: text, code: text, param: text, details: object }, [
      "param",
      "details",
    ]),
    request_id: text,
  },
  [],
  { title: "MessageError" },
);

/** The data of one event of a stream; `type` is the event's name too. */
const eventSchema: JsonSchema = {
  title: "MessageEvent",
  type: "object",
  required: ["type"],
  properties: {
    type: {
      enum: [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "error",
      ],
    },
    message: messageSchema,
    index: integer,
    content_block: block,
    delta: {
      type: "object",
      properties: {
        type: { enum: ["text_delta", "thinking_delta", "input_json_delta"] },
        text,
        thinking: text,
        partial_json: text,
        stop_reason: stopReason,
        stop_sequence: textOrNull,
      },
    },
    usage,
    service_metadata: metadataSchema,
    error: { ...object, description: "Of a stream that fails" },
    request_id: text,
  },
};

export const messageAnswers = {
  answers: { 200: { "application/json": messageSchema, "text/event-stream": eventSchema } },
  failures: runFailures,
  failureSchema,
};

export const countAnswers = {
  response: objectSchema({ input_tokens: integer }),
  failures: ["model_not_found", "no_provider"],
  failureSchema,
};
