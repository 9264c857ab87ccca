import { defineEndpoints, defineRoute } from "@pergola/sdk";
import { openApi } from "./open-api.ts";

/**
 * For probes: needs no token, and turns to 503 as soon as the service begins to stop, and while the store
 * cannot be written.
 */
export const getHealth = defineRoute({
  method: "GET",
  path: "/health",
  scope: "open",
  anonymous: true,
  summary: "Whether the service runs",
  query: {
    challenge: {
      type: "string",
      pattern: "^[\\w-]{43}$",
      description: "Random text; the answer then proves which service it is to whoever can read its note",
    },
  },
  response: {
    type: "object",
    required: ["status", "version", "uptime_seconds"],
    properties: {
      status: { const: "ok" },
      version: { type: "string" },
      uptime_seconds: { type: "number", minimum: 0 },
      proof: { type: "string", description: "For a challenge: only the command line can check it" },
    },
  },
  answers: {
    503: {
      "application/json": {
        type: "object",
        required: ["status"],
        properties: { status: { enum: ["stopping", "degraded"] }, reason: { type: "string" } },
      },
    },
  },
  failures: [],
  async handle({ query: { challenge }, localAddress = "" }, { system }) {
    const refusal = { status: 503, headers: { "Retry-After": "5" } };
    if (system.stopping) return { ...refusal, body: { status: "stopping" } };
    const reason = await system.storageFault();
    if (reason !== null) return { ...refusal, body: { status: "degraded", reason } };
    const body = { status: "ok", version: system.version, uptime_seconds: system.uptime() };
    if (challenge === undefined) return { body };
    return { body: { ...body, proof: system.prove(challenge, localAddress) } };
  },
});

export const getOpenApi = defineRoute({
  method: "GET",
  path: "/openapi.json",
  scope: "read",
  summary: "This interface as an OpenAPI 3.1 document",
  response: { type: "object", required: ["openapi", "info", "paths"] },
  failures: [],
  handle: (_request, { system }) => ({ body: openApi(system.routes(), system.version) }),
});

export const system = defineEndpoints({ group: "system", routes: [getHealth, getOpenApi] });
