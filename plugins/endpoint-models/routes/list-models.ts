import type { Route } from "@pergola/sdk";
import { localSchema, modelSchema, wireLocal, wireModel } from "../wire-model.ts";

export const listModels: Route = {
  method: "GET",
  path: "/api/models",
  aliases: ["/v1/models"],
  summary: "List the models of all providers",
  response: {
    type: "object",
    properties: {
      object: { const: "list" },
      data: { type: "array", items: modelSchema },
      models: { type: "array", items: localSchema, description: "Installed model files" },
      count: { type: "integer" },
    },
  },
  async handle({ caller, signal }, { models }) {
    const list = await models.list(signal);
    const local = list.filter(({ file }) => file !== undefined).map((model) => wireLocal(model, caller));
    return { body: { object: "list", data: list.map(wireModel), models: local, count: list.length } };
  },
};
