import type { Route } from "@pergola/sdk";
import { quotaQuery, quotaSchema } from "../quota.ts";

/** The quota of the first provider of the kind, under the path that some clients know. */
export const copilotQuota: Route = {
  method: "GET",
  path: "/api/github-copilot/quota",
  summary: "Show how much of the GitHub Copilot subscription is used",
  query: quotaQuery,
  response: quotaSchema,
  async handle({ query, signal }, { models }) {
    const found = (await models.providers()).find(({ type }) => type === "github-copilot");
    if (found === undefined)
      return { body: { available: false, reason: "No provider of the kind github-copilot is configured." } };
    return { body: await models.quota(found.id, { refresh: query["refresh"] === true }, signal) };
  },
};
