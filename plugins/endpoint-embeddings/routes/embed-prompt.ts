import { decimals, fieldFault, latestOf, objectSchema } from "@pergola/kit-provider";
import { defineRoute, isObject } from "@pergola/sdk";
import { createEmbeddings, embeddingAnswers, embeddingFields } from "./create-embeddings.ts";

const numbers = { type: "array", items: { type: "number" } } as const;

/**
 * Two formats have this path: that of `/v1/embeddings`, and the older one of Ollama, whose requests have a
 * `prompt` and whose errors are texts.
 */
export const embedPrompt = defineRoute({
  method: "POST",
  path: "/api/embeddings",
  scope: "chat",
  takes: "untyped",
  summary: "Make vectors of texts: as at /v1/embeddings, or with prompt in Ollama's older format",
  body: {
    type: "object",
    required: ["model"],
    examples: [
      { model: "default", input: ["A text", "Another text"] },
      { model: "default", prompt: "A text" },
    ],
    properties: {
      ...embeddingFields,
      prompt: { type: "string", description: "In place of input, where endpoints.ollama.enabled is on" },
    },
  },
  ...embeddingAnswers,
  response: {
    anyOf: [
      embeddingAnswers.response,
      { type: "object", required: ["embedding"], properties: { embedding: numbers } },
    ],
  },
  failureSchema: objectSchema({
    error: { type: ["object", "string"], description: "A text where the request has a prompt" },
  }),
  failure: ({ message }, _requestId, rawBody) =>
    isObject(rawBody) && typeof rawBody["prompt"] === "string" && rawBody["input"] === undefined
      ? { error: message }
      : undefined,
  async handle(request, services) {
    const { body, signal } = request;
    const { models, preferences } = services;
    if (body.input !== undefined) return createEmbeddings.handle(request, services);
    const isOn = preferences.get<boolean>("endpoints.ollama.enabled");
    if (!isOn || body.prompt === undefined) throw fieldFault("input", "is missing", "missing_field");
    const named = await latestOf(body.model, models, signal);
    const modelId = named === "default" ? preferences.get<string>("memory.embedding_model") : named;
    const { vectors } = await models.embedWith(modelId, [body.prompt], signal);
    return { body: { embedding: vectors.flatMap(decimals) } };
  },
});
