import { latestOf } from "@pergola/kit-provider";
import { defineRoute } from "@pergola/sdk";
import { showBody } from "../body-schemas.ts";
import { ollamaFailure } from "../wire-failure.ts";
import { shownModel, shownSchema } from "../wire-model.ts";

export const showModel = defineRoute({
  method: "POST",
  path: "/api/show",
  scope: "read",
  takes: "untyped",
  summary: "Show a model in Ollama's format",
  body: showBody,
  response: shownSchema,
  failures: ["model_not_found", "no_provider"],
  ...ollamaFailure,
  async handle({ body, signal }, { models }) {
    const name = await latestOf(body.model, models, signal);
    return { body: shownModel(await models.resolve(name, signal)) };
  },
});
