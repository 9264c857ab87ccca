import { AppError, type Route } from "@pergola/sdk";
import { modelSchema, wireModel } from "../wire-model.ts";

/** One model, with or without its prefix. Paths below `download` belong to the downloads, whether that group is there or not. */
export const getModel: Route = {
  method: "GET",
  path: "/api/models/{id…}",
  aliases: ["/v1/models/{id…}"],
  summary: "Show a model",
  params: { id: { type: "string", description: "The rest of the path: prefix/name, or the name alone" } },
  response: modelSchema,
  async handle({ params, signal }, { models }) {
    const { id = "" } = params;
    if (/^download(\/|$)/.test(id)) throw new AppError({ code: "route_not_found", message: "Model downloads are not installed." });
    return { body: wireModel(await models.resolve(id, signal)) };
  },
};
