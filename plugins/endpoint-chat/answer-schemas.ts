import {
  extensionProperties,
  metadataSchema,
  objectSchema,
  runFailures,
  usageSchema,
} from "@pergola/kit-provider";
import type { JsonSchema } from "@pergola/sdk";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const finishReason = { enum: ["stop", "length", "tool_calls", "content_filter"] } as const;

const toolCall: JsonSchema = {
  title: "ToolCall",
  type: "object",
  required: ["id", "type"],
  properties: {
    id: text,
    type: { enum: ["function", "custom"] },
    function: objectSchema({ name: text, arguments: { ...text, description: "JSON" } }),
    custom: objectSchema({ name: text, input: text }),
  },
};

const deltaCall: JsonSchema = {
  title: "ToolCallDelta",
  type: "object",
  required: ["index"],
  properties: {
    index: integer,
    id: { ...text, description: "In the first delta of a call only" },
    type: { enum: ["function", "custom"] },
    function: { type: "object", properties: { name: text, arguments: text } },
    custom: { type: "object", properties: { name: text, input: text } },
  },
};

const message = objectSchema(
  {
    role: { const: "assistant" },
    content: textOrNull,
    tool_calls: { type: "array", items: toolCall, description: "Calls of your own tools" },
    reasoning_content: text,
  },
  ["tool_calls", "reasoning_content"],
);

const metadataProperties = {
  service_metadata: metadataSchema,
  sam_metadata: { ...metadataSchema, description: "The same, with legacy_metadata" },
} as const;

/** The answer to a chat request. */
export const completionSchema = objectSchema(
  {
    id: { ...text, description: "chatcmpl-…" },
    object: { const: "chat.completion" },
    created: { ...integer, description: "Unix seconds" },
    model: { ...text, description: "The model that answered" },
    choices: {
      type: "array",
      minItems: 1,
      maxItems: 1,
      items: objectSchema({ index: { const: 0 }, message, finish_reason: finishReason }),
    },
    usage: usageSchema,
    ...metadataProperties,
  },
  ["sam_metadata"],
  { title: "ChatCompletion" },
);

const chunkSchema = objectSchema(
  {
    id: text,
    object: { const: "chat.completion.chunk" },
    created: integer,
    model: text,
    choices: {
      type: "array",
      description: "One; none in the usage chunk",
      items: objectSchema({
        index: integer,
        delta: {
          type: "object",
          properties: {
            role: { const: "assistant" },
            content: text,
            reasoning_content: text,
            tool_calls: { type: "array", items: deltaCall },
          },
        },
        finish_reason: { enum: [...finishReason.enum, null] },
      }),
    },
    conversation_id: { ...text, description: "In the first chunk" },
    run_id: { ...text, description: "In the first chunk" },
    usage: { ...usageSchema, description: "In the usage chunk" },
    ...metadataProperties,
    ...extensionProperties,
  },
  [
    "conversation_id",
    "run_id",
    "usage",
    ...Object.keys(metadataProperties),
    ...Object.keys(extensionProperties),
  ],
  { title: "ChatCompletionChunk" },
);

const failedChunk = objectSchema(
  { error: objectSchema({ message: text, type: text, code: text }), service_metadata: metadataSchema },
  [],
  { title: "FailedChunk", description: "How a stream ends that fails after its beginning" },
);

/** The data of one event of a chat stream; the last one is the word `[DONE]`. */
export const chatEventSchema: JsonSchema = { anyOf: [chunkSchema, failedChunk] };

const queuedSchema = objectSchema(
  {
    runId: text,
    conversationId: text,
    messageId: { ...text, description: "Of a chat: the message of the person that it answers" },
    status: { const: "queued" },
  },
  ["messageId"],
  {
    title: "QueuedRun",
    description: "A run in the background; follow it by GET /api/runs/{runId}/events",
  },
);

const iterationSchema = objectSchema({
  iteration: integer,
  llmResponse: text,
  toolsRequested: { type: "array", items: text },
  timestamp: text,
});

const executionSchema = objectSchema({
  toolCallId: text,
  toolName: text,
  operation: text,
  arguments: { type: "object" },
  success: { type: "boolean" },
  result: { description: "The tool's result as the model got it" },
  timestamp: text,
  iteration: integer,
  duration_ms: { type: "number" },
});

const autonomousSchema = objectSchema(
  {
    id: text,
    object: { const: "autonomous.workflow.result" },
    created: integer,
    model: text,
    runId: text,
    conversationId: text,
    conversation_id: text,
    finalResponse: text,
    iterations: integer,
    iterationHistory: { type: "array", items: iterationSchema },
    toolExecutions: { type: "array", items: executionSchema },
    usage: usageSchema,
    metadata: objectSchema({
      completionReason: text,
      totalDuration: { type: "number", description: "Seconds" },
      hadErrors: { type: "boolean" },
      tokensUsed: integer,
    }),
    service_metadata: metadataSchema,
  },
  [],
  { title: "AutonomousResult" },
);

const eventStream = "text/event-stream";

export const chatAnswers = {
  answers: {
    200: { "application/json": completionSchema, [eventStream]: chatEventSchema },
    202: { "application/json": queuedSchema },
  },
  failures: runFailures,
};

export const autonomousAnswers = {
  answers: {
    200: { "application/json": autonomousSchema, [eventStream]: chatEventSchema },
    202: { "application/json": queuedSchema },
  },
  failures: runFailures,
};

/** The acknowledgement of an answer to a blocked call. */
export const acknowledgementSchema = objectSchema(
  {
    success: { const: true },
    toolCallId: text,
    conversationId: text,
    status: { const: "answered" },
    decision: { enum: ["approved", "denied", "text"] },
    message: text,
  },
  [],
  { title: "Acknowledgement" },
);

const runState = {
  type: "object",
  description: "The event state: the run, as GET /api/runs/{runId} shows it",
} as const;
const runEnd = objectSchema(
  { runId: text, completion_reason: textOrNull, error: { type: ["object", "null"] } },
  [],
  { title: "RunEnd", description: "The event end" },
);

/** The data of one event of a run: by the event's name state, chunk or end. */
export const runEventSchema: JsonSchema = { anyOf: [chunkSchema, failedChunk, runEnd, runState] };
