import { objectSchema } from "@pergola/kit-provider";
import { defineRoute } from "@pergola/sdk";
import { ollamaFailure } from "../wire-failure.ts";
import { listedModel, listedSchema } from "../wire-model.ts";

export const listModels = defineRoute({
  method: "GET",
  path: "/api/tags",
  scope: "read",
  summary: "List the models of all providers in Ollama's format",
  response: objectSchema({ models: { type: "array", items: listedSchema } }),
  failures: [],
  ...ollamaFailure,
  async handle({ signal }, { models }) {
    return { body: { models: (await models.list(signal)).map(listedModel) } };
  },
});
