import { extensionProperties, metadataSchema, objectSchema, runFailures } from "@pergola/kit-provider";
import type { JsonSchema } from "@pergola/sdk";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const flag = { type: "boolean" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const numberOrNull = { type: ["number", "null"] } as const;
const object = { type: "object" } as const;
const status = { enum: ["in_progress", "completed", "incomplete"] } as const;

const outputText = objectSchema(
  { type: { const: "output_text" }, text, annotations: { type: "array" }, logprobs: { type: "array" } },
  [],
  { title: "OutputText" },
);
const summaryText = objectSchema({ type: { const: "summary_text" }, text }, [], { title: "SummaryText" });

const inputPart: JsonSchema = {
  anyOf: [
    objectSchema({ type: { const: "input_text" }, text }),
    objectSchema({ type: { const: "input_image" }, image_url: text, detail: text }),
  ],
};

const call = { id: text, status, call_id: text, name: text, namespace: text };

/** One item of an answer, or of a conversation. */
export const itemSchema: JsonSchema = {
  title: "Item",
  anyOf: [
    objectSchema({
      id: text,
      type: { const: "message" },
      role: { enum: ["user", "assistant", "system"] },
      status,
      content: { type: "array", items: { anyOf: [outputText, inputPart] } },
    }),
    objectSchema({
      id: text,
      type: { const: "reasoning" },
      status,
      summary: { type: "array", items: summaryText },
    }),
    objectSchema({ ...call, type: { const: "function_call" }, arguments: text }, ["namespace"]),
    objectSchema({ ...call, type: { const: "custom_tool_call" }, input: text }, ["namespace"]),
    objectSchema({
      id: text,
      type: { enum: ["function_call_output", "custom_tool_call_output"] },
      status,
      call_id: text,
      output: { anyOf: [text, { type: "array", items: inputPart }] },
    }),
  ],
};

const usage = objectSchema({
  input_tokens: integer,
  input_tokens_details: objectSchema({ cached_tokens: integer }),
  output_tokens: integer,
  output_tokens_details: objectSchema({ reasoning_tokens: integer }),
  total_tokens: integer,
});

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

/** The `response` object. */
export const responseSchema = objectSchema(
  {
    id: { ...text, description: "resp_ and the digits of its run" },
    object: { const: "response" },
    created_at: { ...integer, description: "Unix seconds" },
    completed_at: { type: ["integer", "null"], description: "Unix seconds" },
    status: { enum: ["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"] },
    error: orNull(objectSchema({ code: text, message: text })),
    incomplete_details: orNull({ type: "object", properties: { reason: text } }),
    model: text,
    output: { type: "array", items: itemSchema },
    conversation: orNull(objectSchema({ id: text })),
    usage: orNull(usage),
    background: flag,
    instructions: textOrNull,
    max_output_tokens: { type: ["integer", "null"] },
    parallel_tool_calls: flag,
    previous_response_id: textOrNull,
    reasoning: objectSchema({ effort: textOrNull, summary: textOrNull }),
    store: flag,
    temperature: numberOrNull,
    text: objectSchema({ format: object }),
    tool_choice: { anyOf: [text, object] },
    tools: { type: "array", items: object },
    top_p: numberOrNull,
    user: textOrNull,
    metadata: object,
    truncation: text,
    frequency_penalty: { type: "number" },
    presence_penalty: { type: "number" },
    top_logprobs: integer,
    max_tool_calls: { type: ["integer", "null"] },
    service_tier: text,
    safety_identifier: textOrNull,
    prompt_cache_key: textOrNull,
    service_metadata: metadataSchema,
  },
  ["service_metadata"],
  { title: "Response" },
);

/** The data of one event of a response's stream. */
export const responseEventSchema: JsonSchema = {
  title: "ResponseEvent",
  type: "object",
  required: ["type", "sequence_number"],
  properties: {
    type: { ...text, description: "response.created, response.output_text.delta, … or keepalive" },
    sequence_number: integer,
    response: responseSchema,
    item: { ...object, description: "An item, or one that has begun" },
    output_index: integer,
    item_id: text,
    content_index: integer,
    summary_index: integer,
    part: { anyOf: [outputText, summaryText] },
    delta: text,
    text,
    logprobs: { type: "array" },
    name: text,
    arguments: text,
    input: text,
    ...extensionProperties,
  },
};

/** A page of items. */
export const itemPageSchema = objectSchema(
  {
    object: { const: "list" },
    data: { type: "array", items: itemSchema },
    first_id: textOrNull,
    last_id: textOrNull,
    has_more: flag,
  },
  [],
  { title: "ItemList" },
);

/** What is left of a conversation that has lost an item. */
export const conversationSchema = objectSchema({
  id: text,
  object: { const: "conversation" },
  created_at: integer,
  metadata: object,
});

const wholeOrStream = {
  200: { "application/json": responseSchema, "text/event-stream": responseEventSchema },
};

export const responseAnswers = { answers: wholeOrStream, failures: runFailures };
export const storedAnswers = { answers: wholeOrStream, failures: [] };
