import { decimals, embeddingFailures, shorten } from "@pergola/kit-provider";
import { AppError, defineRoute, textTokens, type JsonSchema, type Properties } from "@pergola/sdk";

/** 32-bit floats, little-endian, as the common clients decode them. */
function inBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString("base64");
}

const encoders = { float: decimals, base64: inBase64 } as const;

/** Tokens are taken here so that their refusal can say what to send instead. */
const textOrTokens = {
  type: ["string", "integer", "array"],
  minLength: 1,
  items: { type: "integer" },
} as const;

/** The texts of a request. Throws `invalid_value` for token numbers, whose meaning only the model knows. */
function readTexts(input: string | readonly unknown[]): readonly string[] {
  const texts = [input].flat();
  if (texts.every((text) => typeof text === "string")) return texts;
  throw new AppError({
    code: "invalid_value",
    message: "input holds token numbers. Pergola takes texts only: send the texts that they stand for.",
    param: "input",
  });
}

export const embeddingFields = {
  model: {
    type: "string",
    minLength: 1,
    description: "An embedding model, or `default`: that of memory.embedding_model",
  },
  input: {
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "array", minItems: 1, maxItems: 2048, items: textOrTokens },
    ],
    description: "One text, or up to 2,048; no arrays of token numbers",
  },
  encoding_format: { enum: ["float", "base64"], default: "float" },
  dimensions: { type: "integer", minimum: 1, description: "Of the model's dimensions the first so many" },
  user: { type: "string" },
} as const satisfies Properties;

const embeddingList = {
  type: "object",
  properties: {
    object: { const: "list" },
    data: {
      type: "array",
      items: {
        type: "object",
        properties: {
          object: { const: "embedding" },
          index: { type: "integer" },
          embedding: {
            description: "Numbers, as the model gives them; in base64 32-bit floats, little-endian",
          },
        },
      },
    },
    model: { type: "string" },
    usage: {
      type: "object",
      properties: { prompt_tokens: { type: "integer" }, total_tokens: { type: "integer" } },
    },
    service_metadata: { type: "object", properties: { usage_source: { enum: ["provider", "estimated"] } } },
  },
} as const satisfies JsonSchema;

export const embeddingAnswers = {
  response: embeddingList,
  failures: embeddingFailures,
};

export const createEmbeddings = defineRoute({
  method: "POST",
  path: "/v1/embeddings",
  scope: "chat",
  summary: "Make vectors of texts",
  body: {
    type: "object",
    required: ["model", "input"],
    examples: [{ model: "default", input: ["A text", "Another text"] }],
    properties: embeddingFields,
  },
  ...embeddingAnswers,
  async handle({ body, signal, headers }, { models, preferences }) {
    const { model, input, encoding_format: format, dimensions } = body;
    const texts = readTexts(input);
    const modelId = model === "default" ? preferences.get<string>("memory.embedding_model") : model;
    const trace = headers["traceparent"];
    const { vectors, promptTokens, model: usedModel } = await models.embedWith(modelId, texts, signal, trace);
    const tokens = promptTokens ?? texts.reduce((sum, text) => sum + textTokens(text), 0);
    return {
      body: {
        object: "list",
        data: vectors.map((vector, index) => ({
          object: "embedding",
          index,
          embedding: encoders[format](shorten(vector, dimensions)),
        })),
        model: usedModel,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
        service_metadata: { usage_source: promptTokens === undefined ? "estimated" : "provider" },
      },
    };
  },
});
