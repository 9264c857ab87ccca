import type { Route } from "@pergola/sdk";

/** Removes an installed local model with its files. */
export const deleteModel: Route = {
  method: "DELETE",
  path: "/api/models/{id…}",
  summary: "Remove an installed local model",
  params: { id: { type: "string", description: "The rest of the path: prefix/name, or the name alone" } },
  response: { type: "object", properties: { success: { const: true }, id: { type: "string" } } },
  async handle({ params, signal }, { models }) {
    const { modelId } = await models.resolve(params["id"] ?? "", signal);
    await models.remove(modelId);
    return { body: { success: true, id: modelId } };
  },
};
