import { objectSchema } from "@pergola/kit-provider";
import { defineRoute } from "@pergola/sdk";
import { ollamaFailure } from "../wire-failure.ts";
import { runningModel, runningSchema } from "../wire-model.ts";

export const listRunning = defineRoute({
  method: "GET",
  path: "/api/ps",
  scope: "read",
  summary: "List the local models that are in memory, in Ollama's format",
  response: objectSchema({ models: { type: "array", items: runningSchema } }),
  failures: [],
  ...ollamaFailure,
  async handle({ signal }, { models }) {
    return { body: { models: (await models.loaded(signal)).map(runningModel) } };
  },
});
