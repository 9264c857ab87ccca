import type { Route } from "@pergola/sdk";
import { modelId } from "../model-id.ts";
import { modelSchema, wireModel } from "../wire-model.ts";

/** One model, with or without its prefix. */
export const getModel: Route = {
  method: "GET",
  path: "/api/models/{id…}",
  aliases: ["/v1/models/{id…}"],
  summary: "Show a model",
  params: { id: modelId },
  response: modelSchema,
  async handle({ params, signal }, { models }) {
    return { body: wireModel(await models.resolve(params["id"] ?? "", signal)) };
  },
};
