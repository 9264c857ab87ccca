import type { Route } from "@pergola/sdk";
import { quotaQuery, quotaSchema } from "../quota.ts";

export const providerQuota: Route = {
  method: "GET",
  path: "/api/providers/{id}/quota",
  summary: "Show how much of a provider's subscription is used",
  params: { id: { type: "string" } },
  query: quotaQuery,
  response: quotaSchema,
  async handle({ params, query, signal }, { models }) {
    return { body: await models.quota(params["id"] ?? "", { refresh: query["refresh"] === true }, signal) };
  },
};
