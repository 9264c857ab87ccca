import type { Route } from "@pergola/sdk";
import { modelId } from "../model-id.ts";

/** Removes an installed local model with its files. */
export const deleteModel: Route = {
  method: "DELETE",
  path: "/api/models/{id…}",
  summary: "Remove an installed local model",
  params: { id: modelId },
  response: { type: "object", properties: { success: { const: true }, id: { type: "string" } } },
  async handle({ params, signal }, { models }) {
    const { modelId } = await models.resolve(params["id"] ?? "", signal);
    await models.remove(modelId);
    return { body: { success: true, id: modelId } };
  },
};
