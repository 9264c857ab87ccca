import type { ProviderStatus, Route } from "@pergola/sdk";

/** A provider as clients see it; what it is configured with beyond this may be secret. */
const wireProvider = (provider: ProviderStatus) => ({
  id: provider.id,
  type: provider.type,
  name: provider.name,
  prefix: provider.prefix,
  is_local: provider.isLocal,
  base_url: provider.baseUrl,
  enabled: provider.enabled,
  status: provider.status,
  lastError: provider.lastError,
  modelCount: provider.modelCount,
});

const providerSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    type: { type: "string", description: "The kind" },
    name: { type: "string" },
    prefix: { type: "string", description: "Of the ids of its models" },
    is_local: { type: "boolean" },
    base_url: { type: "string", description: "Scheme and host, or `local`" },
    enabled: { type: "boolean" },
    status: {
      enum: ["ok", "error", "unknown"],
      description: "Of its last listing; unknown before the first",
    },
    lastError: { type: ["string", "null"] },
    modelCount: { type: "integer" },
  },
} as const;

export const listProviders: Route = {
  method: "GET",
  path: "/api/providers",
  summary: "List the providers of models, in configured order",
  response: { type: "object", properties: { providers: { type: "array", items: providerSchema } } },
  async handle(_, { models }) {
    return { body: { providers: (await models.providers()).map(wireProvider) } };
  },
};
