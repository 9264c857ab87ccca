import type { Method, Route, Services } from "@pergola/sdk";
import { answerOf } from "./answer-of.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { metadataPath, tokenMetadata } from "./token-metadata.ts";

const summaries = {
  POST: "Send a message of the Model Context Protocol",
  GET: "Listen to what the service says of itself to an MCP client",
  DELETE: "End the session of an MCP client",
} as const satisfies Partial<Record<Method, string>>;

/** JSON-RPC as the protocol's specification describes it; one message or several. */
const message = { type: ["object", "array"] } as const;
const json = { "application/json": message } as const;
const stream = { "text/event-stream": { type: "object" } } as const;

/** The protocol's own transport refuses in its own words: JSON-RPC errors. */
const refusals = { 400: json, 404: json, 406: json, 409: json, 415: json } as const;

const answers = {
  POST: { answers: { 200: { ...json, ...stream }, 202: {}, ...refusals }, failures: [] },
  GET: { answers: { 200: stream, ...refusals }, failures: [] },
  DELETE: { answers: { 200: {}, ...refusals }, failures: [] },
} as const satisfies Partial<Record<Method, Partial<Route>>>;

/** Streamable HTTP: one path, whose three methods go to the session that a request names. */
export const routesOf = (endpointOf: (services: Services) => McpEndpoint): readonly Route[] => [
  ...messageRoutes(endpointOf),
  tokenMetadata,
];

const messageRoutes = (endpointOf: (services: Services) => McpEndpoint): readonly Route[] =>
  (["POST", "GET", "DELETE"] as const).map((method) => ({
    method,
    path: "/mcp",
    scope: "tools",
    tokenMetadata: metadataPath,
    summary: summaries[method],
    ...answers[method],
    handle: async (request, services) =>
      answerOf(await endpointOf(services).handle(method, request), request.signal),
  }));
