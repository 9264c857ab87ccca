import { fieldFault, objectSchema } from "@pergola/kit-provider";
import { defineRoute, isObject, type Services } from "@pergola/sdk";
import { createEmbeddings, embeddingAnswers, embeddingFields } from "./create-embeddings.ts";

const numbers = { type: "array", items: { type: "number" } } as const;

/** The route for clients of Ollama, which yields to this one; undefined while its group is off. */
const olderRoute = ({ system, preferences }: Services) =>
  preferences.get("endpoints.ollama.enabled") === true
    ? system.routes().find(({ yields, path }) => yields === true && path === "/api/embeddings")
    : undefined;

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
    const { input, prompt } = request.body;
    if (input !== undefined) return createEmbeddings.handle(request, services);
    const older = prompt === undefined ? undefined : olderRoute(services);
    if (older === undefined) throw fieldFault("input", "is missing", "missing_field");
    return older.handle(request, services);
  },
});
