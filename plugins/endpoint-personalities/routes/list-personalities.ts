import type { Route } from "@pergola/sdk";
import { defaultIdOf, personalitiesOf } from "../personalities-of.ts";
import { listedProperties } from "../schemas.ts";
import { wireListed } from "../wire-personality.ts";

export const listPersonalities: Route = {
  method: "GET",
  path: "/api/personalities",
  summary: "List personalities, the built-in ones first",
  query: {
    limit: { type: "integer", minimum: 1, maximum: 1000, description: "Without it, all" },
    offset: { type: "integer", minimum: 0, default: 0 },
  },
  response: {
    type: "object",
    properties: {
      personalities: { type: "array", items: { type: "object", properties: listedProperties } },
      count: { type: "integer", description: "Personalities before paging" },
    },
  },
  async handle({ query }, services) {
    const { items, count } = await personalitiesOf(services).list(query);
    const defaultId = await defaultIdOf(services);
    return { body: { personalities: items.map((one) => wireListed(one, defaultId)), count } };
  },
};
