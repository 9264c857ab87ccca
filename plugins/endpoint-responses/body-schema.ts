import type { FromSchema, JsonSchema } from "@pergola/sdk";

const boolean = { type: ["boolean", "null"] } as const;
const text = { type: ["string", "null"] } as const;
const object = { type: ["object", "null"] } as const;

const reasoning = {
  type: ["object", "null"],
  properties: {
    effort: { enum: ["none", "minimal", "low", "medium", "high", "xhigh", "max", null] },
    summary: {
      enum: ["auto", "concise", "detailed", null],
      description: "Any of them: reasoning items are shown",
    },
  },
} as const satisfies JsonSchema;

const serviceConfig = {
  type: ["object", "null"],
  description: "Switches of this service, as in chat requests",
  properties: {
    builtin_tools: { enum: ["auto", "all", "none"] },
    mcp_tools_enabled: { type: "boolean" },
    max_iterations: { type: "integer", minimum: 1, maximum: 1000 },
    working_directory: { type: "string" },
    on_client_close: { enum: ["cancel", "continue"] },
  },
} as const satisfies JsonSchema;

export const responseBody = {
  type: "object",
  properties: {
    model: { type: "string", minLength: 1, description: "Model id with or without prefix, or `default`" },
    input: {
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "array", minItems: 1, items: { type: "object" } },
      ],
      description:
        "A user message, or items: messages, calls and their outputs, reasoning, references to items",
    },
    instructions: { ...text, description: "A system message for this request only" },
    previous_response_id: { ...text, description: "Continue after that response" },
    conversation: {
      anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }],
      description: "Id of a conversation, or { id }",
    },
    store: { ...boolean, description: "false: the conversation is removed once the answer is there" },
    stream: { ...boolean, description: "Answer as a stream of typed server-sent events" },
    stream_options: object,
    tools: {
      type: ["array", "null"],
      items: { type: "object" },
      description: "Functions, custom tools, namespaces of both; names of built-in families select those",
    },
    tool_choice: { anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }] },
    parallel_tool_calls: boolean,
    temperature: { type: ["number", "null"], minimum: 0, maximum: 2 },
    top_p: { type: ["number", "null"], minimum: 0, maximum: 1 },
    max_output_tokens: { type: ["integer", "null"], minimum: 1, description: "Per model call" },
    text: { type: ["object", "null"], properties: { format: object } },
    reasoning,
    include: { type: ["array", "null"], items: { type: "string" } },
    metadata: object,
    user: text,
    background: { ...boolean, description: "Answer at once; GET /v1/responses/{id} shows how far it is" },
    service_config: serviceConfig,
  },
  required: ["model", "input"],
  examples: [{ model: "default", input: "What is in this folder?" }],
} as const satisfies JsonSchema;

const { model, input, ...others } = responseBody.properties;

/** What is counted of a request that need not be whole. */
export const countBody = {
  type: "object",
  properties: {
    model: { ...text, description: "Checked where it is named; what is counted is the same for all" },
    input: { anyOf: [...input.anyOf, { type: "null" }], description: input.description },
    instructions: others.instructions,
    previous_response_id: others.previous_response_id,
    conversation: others.conversation,
    tools: others.tools,
  },
  examples: [{ model: "default", input: "What is in this folder?" }],
} as const satisfies JsonSchema;

/** A body whose keys are canonical and whose types are checked. */
export type ResponseBody = FromSchema<typeof responseBody>;
