import {
  decimals,
  embeddingFailures,
  latestOf,
  objectSchema,
  shorten,
  unitVector,
} from "@pergola/kit-provider";
import { defineRoute, textTokens } from "@pergola/sdk";
import { embedBody } from "../body-schemas.ts";
import { ollamaFailure } from "../wire-failure.ts";

const integer = { type: "integer" } as const;
const numbers = { type: "array", items: { type: "number" } } as const;

/** At unit length, as Ollama's are; a vector of zeros has no direction and stays. */
const toUnit = (vector: Float32Array): Float32Array => unitVector([...vector]) ?? vector;

export const embed = defineRoute({
  method: "POST",
  path: "/api/embed",
  scope: "chat",
  takes: "untyped",
  summary: "Make vectors of texts in Ollama's format, at unit length",
  body: embedBody,
  response: objectSchema({
    model: { type: "string" },
    embeddings: { type: "array", items: numbers },
    total_duration: { ...integer, description: "Nanoseconds" },
    load_duration: { ...integer, description: "Nanoseconds" },
    prompt_eval_count: {
      ...integer,
      description: "Tokens, estimated where the provider does not count them",
    },
  }),
  failures: embeddingFailures,
  ...ollamaFailure,
  async handle({ body, signal, headers }, { models, preferences }) {
    const begun = performance.now();
    const named = await latestOf(body.model, models, signal);
    const modelId = named === "default" ? preferences.get<string>("memory.embedding_model") : named;
    const texts = [body.input].flat().filter((text) => text !== "");
    const trace = headers["traceparent"];
    const { vectors, promptTokens, model } = await models.embedWith(modelId, texts, signal, trace);
    const dimensions = body.dimensions ?? undefined;
    return {
      body: {
        model,
        embeddings: vectors.map((vector) => decimals(shorten(toUnit(vector), dimensions))),
        total_duration: Math.round((performance.now() - begun) * 1e6),
        load_duration: 0,
        prompt_eval_count: promptTokens ?? texts.reduce((sum, text) => sum + textTokens(text), 0),
      },
    };
  },
});
