import type { FromSchema, JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const flagOrNull = { type: ["boolean", "null"] } as const;
const object = { type: "object" } as const;

const model = { type: "string", minLength: 1, description: "Model id; `:latest` is cut off" } as const;

const keepAlive = {
  type: ["string", "number", "null"],
  description: "0: a local model leaves memory once nobody uses it; else ignored",
} as const;

const number = (minimum?: number, maximum?: number) =>
  ({
    type: ["number", "null"],
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }) as { readonly type: readonly ["number", "null"] };

const integerOrNull = { type: ["integer", "null"] } as const;

const options = {
  type: ["object", "null"],
  description: "Sampling; what is not described here is left out with a warning",
  properties: {
    temperature: number(0, 2),
    top_p: number(0, 1),
    num_predict: { ...integerOrNull, description: "Most tokens of a model call; below 1: as if absent" },
    seed: integerOrNull,
    num_ctx: { ...integerOrNull, description: "Context of a local model file; at most local.context_size" },
    stop: { anyOf: [text, { type: "array", items: text }, { type: "null" }] },
    repeat_penalty: number(),
    presence_penalty: number(-2, 2),
    frequency_penalty: number(-2, 2),
  },
} as const;

/** What asks for an answer, in chat and in generate. */
const answerProperties = {
  model,
  stream: { ...flagOrNull, description: "Default: true, one line of JSON for each piece" },
  format: {
    anyOf: [{ enum: ["", "json", null] }, object],
    description: "json, or a JSON schema of the answer",
  },
  think: {
    anyOf: [{ type: "boolean" }, { enum: ["low", "medium", "high", "max", "", null] }],
    description: "Whether, and how much, the model reasons; what it thinks is in thinking",
  },
  options,
  keep_alive: keepAlive,
  logprobs: { ...flagOrNull, description: "Left out with a warning" },
} as const satisfies Properties;

export const chatBody = {
  type: "object",
  required: ["model"],
  properties: {
    ...answerProperties,
    messages: {
      type: ["array", "null"],
      items: object,
      description:
        "The conversation, oldest first: role, content, images (base64), thinking, tool_calls, tool_name. " +
        "Without any: whether the model is there",
    },
    tools: {
      type: ["array", "null"],
      items: object,
      description:
        "Tools of the caller; an entry named like a built-in family and without parameters selects that",
    },
  },
  examples: [{ model: "default", messages: [{ role: "user", content: "Hello" }] }],
} as const satisfies JsonSchema;

export const generateBody = {
  type: "object",
  required: ["model"],
  properties: {
    ...answerProperties,
    prompt: { ...textOrNull, description: "Without any: whether the model is there" },
    suffix: { ...textOrNull, description: "Text behind the place that the answer is for" },
    system: textOrNull,
    images: { type: ["array", "null"], items: text, description: "In base64" },
    raw: { ...flagOrNull, description: "Left out with a warning" },
    template: { ...textOrNull, description: "Left out with a warning" },
    context: { type: ["array", "null"], description: "Left out with a warning" },
  },
  examples: [{ model: "default", prompt: "Hello" }],
} as const satisfies JsonSchema;

export const showBody = {
  type: "object",
  properties: { model: { ...model, aliases: ["name"] }, verbose: flagOrNull },
  required: ["model"],
  examples: [{ model: "embedded/guide" }],
} as const satisfies JsonSchema;

export const embedBody = {
  type: "object",
  required: ["model", "input"],
  properties: {
    model: { ...model, description: "An embedding model, or `default`: that of memory.embedding_model" },
    input: {
      anyOf: [text, { type: "array", maxItems: 2048, items: text }],
      description: "One text, or up to 2,048",
    },
    dimensions: { type: ["integer", "null"], minimum: 1, description: "Of the dimensions the first so many" },
    truncate: { ...flagOrNull, description: "Ignored" },
    options: { type: ["object", "null"], description: "Ignored" },
    keep_alive: { ...keepAlive, description: "Ignored" },
  },
  examples: [{ model: "default", input: ["A text", "Another text"] }],
} as const satisfies JsonSchema;

export const promptBody = {
  type: "object",
  required: ["model", "prompt"],
  properties: {
    model: embedBody.properties.model,
    prompt: text,
    options: embedBody.properties.options,
    keep_alive: embedBody.properties.keep_alive,
  },
  examples: [{ model: "default", prompt: "A text" }],
} as const satisfies JsonSchema;

export type ChatBody = FromSchema<typeof chatBody>;
export type GenerateBody = FromSchema<typeof generateBody>;

/** What both have. */
export type AnswerBody = Pick<ChatBody, keyof typeof answerProperties>;
