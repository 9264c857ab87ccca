import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type * as protocolTypes from "@modelcontextprotocol/sdk/types.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Caller, Services } from "@pergola/sdk";
import { callTool } from "./call-tool.ts";
import type { ClientCall, Form, FormAnswer } from "./client.ts";
import { offeredOf, offerOf } from "./offer-tools.ts";

/** A session as its keeper sees it. */
export interface Session {
  readonly caller: Caller;
  handle(request: Request, body: unknown): Promise<Response>;
  /** Tells a client that listens that it should list the tools anew. */
  tellToolsChanged(): Promise<void>;
  close(): Promise<void>;
}

interface SessionOptions {
  readonly services: Services;
  readonly caller: Caller;
  readonly opened: (id: string) => void;
  readonly closed: (id: string) => void;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Protocol = typeof protocolTypes;

/** A person may take their time. */
const unlimited = 2 ** 31 - 1;
const keepAlive = 15_000;

/** The protocol's package is loaded here, with the first client that comes. */
export async function openSession({ services, caller, opened, closed }: SessionOptions): Promise<Session> {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, protocol] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: opened,
    onsessionclosed: closed,
    keepAliveMs: keepAlive,
  });
  const server = new Server(
    { name: "pergola", version: services.system.version },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(protocol.ListToolsRequestSchema, async () => ({
    tools: offeredOf(await services.tools.list()).map((entry) => structuredClone(offerOf(entry)) as never),
  }));
  server.setRequestHandler(
    protocol.CallToolRequestSchema,
    async ({ params: { name, arguments: args = {} } }, extra) => {
      const isOffered = offeredOf(await services.tools.list()).some((entry) => entry.name === name);
      if (!isOffered) throw new protocol.McpError(protocol.ErrorCode.InvalidParams, `Unknown tool: ${name}`);
      return callTool(name, args, services, clientCall(server, protocol, caller, extra));
    },
  );
  await server.connect(transport);
  return {
    caller,
    handle: (request, parsedBody) => transport.handleRequest(request, { parsedBody }),
    tellToolsChanged: () => server.sendToolListChanged(),
    close: () => server.close(),
  };
}

function clientCall(server: Server, protocol: Protocol, caller: Caller, extra: Extra): ClientCall {
  const token = extra._meta?.progressToken;
  let count = 0;
  return {
    caller,
    client: server.getClientVersion()?.name ?? "client",
    signal: extra.signal,
    ask:
      server.getClientCapabilities()?.elicitation?.form === undefined
        ? undefined
        : (form, signal) => ask(protocol, extra, form, signal),
    progress: (message) => {
      if (token === undefined) return;
      const params = { progressToken: token, progress: (count += 1), message };
      void extra.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}

async function ask(
  { ElicitResultSchema }: Protocol,
  extra: Extra,
  form: Form,
  signal: AbortSignal,
): Promise<FormAnswer> {
  const { message, title, options } = form;
  const field = { type: "string" as const, title, ...(options.length > 0 && { enum: [...options] }) };
  const requestedSchema = { type: "object" as const, properties: { answer: field }, required: ["answer"] };
  const params = { mode: "form" as const, message, requestedSchema };
  const reply = await extra.sendRequest({ method: "elicitation/create", params }, ElicitResultSchema, {
    timeout: unlimited,
    signal,
  });
  if (reply.action === "decline") return "declined";
  const text = reply.content?.["answer"];
  return reply.action === "accept" && typeof text === "string" ? { text } : "dismissed";
}
