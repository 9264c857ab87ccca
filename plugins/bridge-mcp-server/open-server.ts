import type * as protocolTypes from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonObject, Services } from "@pergola/sdk";
import type { ClientCall } from "./client.ts";
import { offeredOf, offerOf } from "./offer-tools.ts";

export type Protocol = typeof protocolTypes;

/** A call of an offered tool, as its client sent it. */
export interface RequestedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly context: ServerContext;
  readonly server: Server;
}

/** The protocol's package is loaded with the first client that comes. */
export const loadProtocol = (): Promise<Protocol> => import("@modelcontextprotocol/server");

/** A server of the protocol that offers the tools; `take` answers its calls. */
export function openServer(
  { Server, ProtocolError, ProtocolErrorCode }: Protocol,
  { system, tools }: Services,
  take: (call: RequestedCall) => Promise<CallToolResult | InputRequiredResult>,
): Server {
  const server = new Server(
    { name: "pergola", version: system.version },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler("tools/list", async () => ({
    tools: offeredOf(await tools.list()).map((entry) => structuredClone(offerOf(entry)) as never),
  }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args = {} } }, context) => {
    const isOffered = offeredOf(await tools.list()).some((entry) => entry.name === name);
    if (!isOffered) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return take({ name, args: args as JsonObject, context, server });
  });
  return server;
}

/** Whether the client can show its person a form; one that names no kind of elicitation can. */
export function canAsk(server: Server): boolean {
  const { elicitation } = server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export const nameOf = (server: Server): string => server.getClientVersion()?.name ?? "client";

/** The trace that a request belongs to: as its `_meta` says, else as its HTTP header does. */
export function traceOf({ mcpReq: { _meta = {} }, http }: ServerContext): string | undefined {
  const { traceparent } = _meta as Readonly<Record<string, unknown>>;
  return typeof traceparent === "string" ? traceparent : (http?.req?.headers.get("traceparent") ?? undefined);
}

/** Tells the client how its request gets on, where it wants to know. */
export function progressOf({ mcpReq: { _meta, notify } }: ServerContext): ClientCall["progress"] {
  const progressToken = _meta?.progressToken;
  let count = 0;
  return (message) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: (count += 1), message };
    void notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
