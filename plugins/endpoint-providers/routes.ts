import { defineEndpoints, defineRoute, type ProviderStatus } from "@pergola/sdk";

const boolean = { type: "boolean" } as const;

const number = { type: ["number", "null"] } as const;
const text = { type: ["string", "null"] } as const;

/** How much of a subscription is used, or why nobody knows; `available` tells which. */
const quotaSchema = {
  title: "Quota",
  type: "object",
  required: ["available"],
  properties: {
    available: boolean,
    reason: { type: "string", description: "Only where it is not available" },
    source: { type: "string" },
    login: text,
    plan: text,
    entitlement: number,
    used: number,
    remaining: number,
    percentUsed: { ...number, description: "0 to 100" },
    percentRemaining: number,
    overageCount: { type: "number" },
    overagePermitted: boolean,
    unlimited: boolean,
    resetDate: { ...text, description: "ISO 8601" },
  },
} as const;

const quotaQuery = {
  refresh: { type: "boolean", default: false, description: "Ask the provider anew" },
} as const;

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
  key: { set: provider.key.set, from: provider.key.from },
  fixed: provider.fixed,
});

const providerSchema = {
  title: "Provider",
  type: "object",
  required: ["id", "type", "name", "prefix", "is_local", "enabled", "status"],
  properties: {
    id: { type: "string" },
    type: { type: "string", description: "The kind" },
    name: { type: "string" },
    prefix: { type: "string", description: "Of the ids of its models" },
    is_local: boolean,
    base_url: { type: "string", description: "Scheme and host, or `local`" },
    enabled: boolean,
    status: {
      enum: ["ok", "error", "unknown"],
      description: "Of its last listing; unknown before the first",
    },
    lastError: { type: ["string", "null"] },
    modelCount: { type: "integer" },
    key: {
      type: "object",
      properties: { set: boolean, from: { enum: ["stored", "environment", "file", "none"] } },
    },
    fixed: { ...boolean, description: "Set by the settings file, the environment or a flag" },
  },
} as const;

export const listProviders = defineRoute({
  method: "GET",
  path: "/api/providers",
  scope: "read",
  summary: "List the providers of models, in configured order",
  response: { type: "object", properties: { providers: { type: "array", items: providerSchema } } },
  failures: [],
  async handle(_, { models }) {
    return { body: { providers: (await models.providers()).map(wireProvider) } };
  },
});

const params = {
  id: {
    type: "string",
    pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
    description: "The id in providers.list",
  },
} as const;

const savedSchema = {
  type: "object",
  properties: {
    provider: providerSchema,
    models: {
      type: "array",
      items: { type: "string" },
      description: "Without prefix: what it lists; unchecked, those of its settings",
    },
  },
} as const;

export const saveProvider = defineRoute({
  method: "PUT",
  path: "/api/providers/{id}",
  scope: "admin",
  protected: true,
  summary: "Add a provider, or change one; what is absent stays as it is",
  description:
    "A base URL of another origin drops the stored headers, and the key unless the request brings one: " +
    "nothing is sent to a place that it was not given for.",
  params,
  body: {
    type: "object",
    examples: [{ type: "openai", apiKey: "sk-…" }],
    properties: {
      type: { type: "string", description: "The kind; needed for a new one" },
      name: { type: "string", minLength: 1, maxLength: 100 },
      baseUrl: { type: "string", format: "uri", pattern: "^https?://" },
      apiKey: {
        type: ["string", "null"],
        minLength: 4,
        maxLength: 10_000,
        description: "Kept as a secret and never shown again; absent = kept, null = removed",
      },
      models: {
        type: "array",
        items: { type: "string" },
        description: "Models offered; empty = all it lists",
      },
      enabled: boolean,
      check: {
        ...boolean,
        default: true,
        description: "It must list its models before anything is stored",
      },
    },
  },
  response: savedSchema,
  answers: { 201: { "application/json": savedSchema } },
  failures: ["set_elsewhere", "in_use", "provider_auth_failed", "provider_error", "storage_unavailable"],
  async handle({ params: { id }, body: { check = true, ...change }, caller, signal }, services) {
    const saved = await services.models.saveProvider(id, { ...change, check }, caller, signal);
    const { provider, models, isNew } = saved;
    return { status: isNew ? 201 : 200, body: { provider: wireProvider(provider), models } };
  },
});

export const deleteProvider = defineRoute({
  method: "DELETE",
  path: "/api/providers/{id}",
  scope: "admin",
  protected: true,
  summary: "Remove a provider and forget its key",
  params,
  response: { type: "object", properties: { success: { const: true } } },
  failures: ["set_elsewhere", "in_use", "built_in", "storage_unavailable"],
  async handle({ params: { id }, caller }, { models }) {
    await models.removeProvider(id, caller);
    return { body: { success: true } };
  },
});

/** Looks at nothing but the addresses of the setting. */
export const detectServers = defineRoute({
  method: "POST",
  path: "/api/providers/detect",
  scope: "admin",
  protected: true,
  summary: "Look for servers of models on this computer, at the addresses of providers.local_servers",
  response: {
    type: "object",
    properties: {
      servers: {
        type: "array",
        items: {
          type: "object",
          properties: {
            type: { type: "string", description: "The kind of provider" },
            name: { type: "string" },
            baseUrl: { type: "string" },
            models: { type: "array", items: { type: "string" } },
            configured: { ...boolean, description: "A provider uses it" },
          },
        },
      },
    },
  },
  failures: [],
  handle: async ({ signal }, { models }) => ({
    body: { servers: await models.findLocalServers(signal) },
  }),
});

/**
 * Starts a device login. It goes on by itself until the person has entered the code or the code has expired.
 */
export const startLogin = defineRoute({
  method: "POST",
  path: "/api/providers/{id}/login",
  scope: "admin",
  protected: true,
  summary: "Start a provider's device login",
  params: { id: { type: "string", description: "The id in providers.list" } },
  response: {
    type: "object",
    properties: {
      userCode: { type: "string", description: "To be entered at `verificationUri`" },
      verificationUri: { type: "string" },
      expiresIn: { type: "integer", description: "Seconds" },
    },
  },
  failures: ["provider_error", "provider_auth_failed", "provider_timeout"],
  async handle({ params, signal }, { models }) {
    const { userCode, verificationUri, expiresIn } = await models.login(params.id, signal);
    return { body: { userCode, verificationUri, expiresIn } };
  },
});

export const providerQuota = defineRoute({
  method: "GET",
  path: "/api/providers/{id}/quota",
  scope: "read",
  summary: "Show how much of a provider's subscription is used",
  params: { id: { type: "string", description: "The id in providers.list" } },
  query: quotaQuery,
  response: quotaSchema,
  failures: ["provider_error", "provider_auth_failed", "provider_timeout"],
  async handle({ params, query, signal }, { models }) {
    return { body: await models.quota(params.id, query, signal) };
  },
});

/** The quota of the first provider of the kind, under the path that some clients know. */
export const copilotQuota = defineRoute({
  method: "GET",
  path: "/api/github-copilot/quota",
  scope: "read",
  summary: "Show how much of the GitHub Copilot subscription is used",
  query: quotaQuery,
  response: quotaSchema,
  failures: ["provider_error", "provider_auth_failed", "provider_timeout"],
  async handle({ query, signal }, { models }) {
    const found = (await models.providers()).find(({ type }) => type === "github-copilot");
    if (found === undefined)
      return { body: { available: false, reason: "No provider of the kind github-copilot is configured." } };
    return { body: await models.quota(found.id, query, signal) };
  },
});

export const providers = defineEndpoints({
  group: "providers",
  routes: [
    listProviders,
    saveProvider,
    deleteProvider,
    detectServers,
    startLogin,
    providerQuota,
    copilotQuota,
  ],
});
