import type { Method, Route, Services } from "@pergola/sdk";
import { answerOf } from "./answer-of.ts";
import type { Sessions } from "./sessions.ts";

const summaries = {
  POST: "Send a message of the Model Context Protocol",
  GET: "Listen to what the service says of itself to an MCP client",
  DELETE: "End the session of an MCP client",
} as const satisfies Partial<Record<Method, string>>;

/** Streamable HTTP: one path, whose three methods go to the session that a request names. */
export const routesOf = (sessionsOf: (services: Services) => Sessions): readonly Route[] =>
  (["POST", "GET", "DELETE"] as const).map((method) => ({
    method,
    path: "/mcp",
    summary: summaries[method],
    handle: async (request, services) =>
      answerOf(await sessionsOf(services).handle(method, request), request.signal),
  }));
