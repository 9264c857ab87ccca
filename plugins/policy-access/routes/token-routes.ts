import { defined, defineEndpoints, defineRoute, successSchema, type ServicesWith } from "@pergola/sdk";
import { madeTokenSchema, scopesSchema, tokenSchema } from "./schemas.ts";

type Available = ServicesWith<"access">;

/** What all routes of tokens have in common. */
const guarded = { scope: "admin", protected: true } as const;
const idParameter = { id: { type: "string", description: "`tok_…`" } } as const;
const noStore = { "Cache-Control": "no-store" } as const;

export const listTokens = defineRoute({
  method: "GET",
  path: "/api/tokens",
  ...guarded,
  summary: "List tokens, the oldest first",
  response: {
    type: "object",
    properties: { tokens: { type: "array", items: tokenSchema }, count: { type: "integer" } },
  },
  failures: [],
  async handle(_, { access }: Available) {
    const tokens = await access.tokens();
    return { body: { tokens, count: tokens.length } };
  },
});

export const addToken = defineRoute({
  method: "POST",
  path: "/api/tokens",
  ...guarded,
  summary: "Make a token; its text is told only now",
  strict: true,
  body: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", description: "1 to 60 characters, unique" },
      scopes: { ...scopesSchema, minItems: 1, default: ["read", "chat"] },
      expiresIn: { type: ["string", "null"], default: "90d", description: "A duration; null = never" },
      root: {
        type: ["string", "null"],
        default: null,
        description: "The folder that its runs must not leave",
      },
    },
    examples: [{ name: "phone", scopes: ["read", "chat", "approve"], expiresIn: "30d" }],
  },
  answers: { 201: { "application/json": madeTokenSchema } },
  failures: ["insufficient_scope", "id_taken", "storage_unavailable"],
  handle: async ({ body, caller }, { access }: Available) => ({
    status: 201,
    headers: noStore,
    body: await access.addToken(body, caller),
  }),
});

export const changeToken = defineRoute({
  method: "PATCH",
  path: "/api/tokens/{id}",
  ...guarded,
  summary: "Narrow a token; for a wider one make a new one",
  params: idParameter,
  body: {
    type: "object",
    properties: {
      name: { type: "string" },
      scopes: { ...scopesSchema, minItems: 1, description: "Some of those that it has" },
      expiresAt: { type: "string", format: "date-time", description: "Earlier than now set" },
      root: { type: "string", description: "Below the one that it has" },
    },
    examples: [{ scopes: ["read"] }],
  },
  response: tokenSchema,
  failures: ["insufficient_scope", "id_taken", "set_elsewhere"],
  async handle({ params, body, caller }, { access }: Available) {
    const { name, scopes, expiresAt, root } = body;
    const end = expiresAt && new Date(expiresAt).toISOString();
    return {
      body: await access.changeToken(params.id, defined({ name, scopes, root, expiresAt: end }), caller),
    };
  },
});

export const rotateToken = defineRoute({
  method: "POST",
  path: "/api/tokens/{id}/rotate",
  ...guarded,
  summary: "Give a token a new text; the old one is valid for a while",
  strict: true,
  params: idParameter,
  body: {
    type: "object",
    properties: { overlap: { type: "string", default: "24h", description: "A duration, at most 30d" } },
  },
  answers: { 201: { "application/json": madeTokenSchema } },
  failures: ["insufficient_scope", "set_elsewhere"],
  handle: async ({ params, body, caller }, { access }: Available) => ({
    status: 201,
    headers: noStore,
    body: await access.rotateToken(params.id, body.overlap, caller),
  }),
});

export const revokeToken = defineRoute({
  method: "DELETE",
  path: "/api/tokens/{id}",
  ...guarded,
  summary: "Revoke a token; its sessions and open streams end at once",
  params: idParameter,
  query: { cancelRuns: { type: "boolean", default: false, description: "Cancel its runs too" } },
  response: successSchema,
  failures: ["set_elsewhere"],
  async handle({ params, query, caller }, { access }: Available) {
    await access.revokeToken(params.id, { cancelRuns: query.cancelRuns }, caller);
    return { body: { success: true } };
  },
});

export const tokens = defineEndpoints({
  group: "tokens",
  needs: "access",
  routes: [listTokens, addToken, changeToken, rotateToken, revokeToken],
});
