import { decimals, latestOf, objectSchema } from "@pergola/kit-provider";
import { defineRoute } from "@pergola/sdk";
import { embedFailures } from "../answer-schemas.ts";
import { promptBody } from "../body-schemas.ts";
import { ollamaFailure } from "../wire-failure.ts";

/** The common embeddings format has the same path: its route hands on to this one what has a prompt. */
export const embedPrompt = defineRoute({
  method: "POST",
  path: "/api/embeddings",
  yields: true,
  scope: "chat",
  takes: "untyped",
  summary: "Make the vector of a text in Ollama's older format",
  body: promptBody,
  response: objectSchema({ embedding: { type: "array", items: { type: "number" } } }),
  failures: embedFailures,
  ...ollamaFailure,
  async handle({ body, signal }, { models, preferences }) {
    const named = await latestOf(body.model, models, signal);
    const modelId = named === "default" ? preferences.get<string>("memory.embedding_model") : named;
    const { vectors } = await models.embedWith(modelId, [body.prompt], signal);
    return { body: { embedding: vectors.flatMap(decimals) } };
  },
});
