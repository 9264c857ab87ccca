import type { Route } from "@pergola/sdk";
import { downloadsOf } from "../downloads-of.ts";

export const searchModels: Route = {
  method: "GET",
  path: "/api/models/download/search",
  summary: "Search the source for models that can be downloaded",
  query: {
    q: { type: "string", maxLength: 200, default: "", description: "Words of the repository's name" },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  },
  response: {
    type: "object",
    properties: {
      models: {
        type: "array",
        items: {
          type: "object",
          properties: {
            repoId: { type: "string" },
            downloads: { type: "integer" },
            likes: { type: "integer" },
            updatedAt: { type: ["string", "null"] },
            gated: { type: "boolean", description: "Needs a token with access" },
          },
        },
      },
      count: { type: "integer" },
    },
  },
  async handle({ query, signal }, services) {
    const { q, limit } = query as { readonly q: string; readonly limit: number };
    const models = await downloadsOf(services).search(q, { limit }, signal);
    return { body: { models, count: models.length } };
  },
};
