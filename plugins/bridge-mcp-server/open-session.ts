import type { ServerContext } from "@modelcontextprotocol/server";
import type { Caller, Services } from "@pergola/sdk";
import { callTool } from "./call-tool.ts";
import type { ClientCall, Form, FormAnswer } from "./client.ts";
import { elicitationOf, formAnswerOf } from "./forms.ts";
import {
  canAsk,
  loadProtocol,
  nameOf,
  openServer,
  progressOf,
  traceOf,
  type RequestedCall,
} from "./open-server.ts";

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

/** A person may take their time. */
const unlimited = 2 ** 31 - 1;

/** A session of a client that speaks a revision up to 2025-11-25. */
export async function openSession({ services, caller, opened, closed }: SessionOptions): Promise<Session> {
  const protocol = await loadProtocol();
  const transport = new protocol.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: opened,
    onsessionclosed: closed,
  });
  const server = openServer(protocol, services, (call) =>
    callTool(call.name, call.args, services, clientCall(call, caller)),
  );
  await server.connect(transport);
  return {
    caller,
    handle: (request, parsedBody) => transport.handleRequest(request, { parsedBody }),
    tellToolsChanged: () => server.sendToolListChanged(),
    close: () => server.close(),
  };
}

const clientCall = ({ server, context }: RequestedCall, caller: Caller): ClientCall => ({
  caller,
  client: nameOf(server),
  trace: traceOf(context),
  signal: context.mcpReq.signal,
  ask: canAsk(server) ? (form, signal) => ask(context, form, signal) : undefined,
  progress: progressOf(context),
});

async function ask({ mcpReq }: ServerContext, form: Form, signal: AbortSignal): Promise<FormAnswer> {
  const request = { method: "elicitation/create" as const, params: elicitationOf(form) };
  return formAnswerOf(await mcpReq.send(request, { timeout: unlimited, signal }));
}
