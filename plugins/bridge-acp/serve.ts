import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import packageJson from "./package.json" with { type: "json" };
import type { Service } from "./service.ts";
import { Sessions } from "./sessions.ts";

export type { Chunk, Service } from "./service.ts";

/** The lines of a conversation with an editor, and what is behind it. */
export interface Serving {
  readonly service: Service;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it. */
  readonly signal: AbortSignal;
}

const capabilities = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
};

/** Chooses the model at a terminal, for editors that open one. */
const setup = {
  type: "terminal" as const,
  id: "setup",
  name: "Choose a model",
  description: "Connect a server on this computer, or a vendor by its key",
  args: ["--setup"],
};

/** What choosing a model again would mend. */
const mendable: readonly unknown[] = ["no_provider", "provider_auth_failed"];

/** The service says what is wrong in words for the person; its code goes along. */
function failure(error: unknown, hasSetup: boolean): Error {
  const { message, code, data } = error as Error & { readonly code?: unknown; readonly data?: unknown };
  const { code: own = code } = (data ?? {}) as { readonly code?: unknown };
  if (hasSetup && mendable.includes(own)) return new RequestError(-32000, message, { code: own });
  if (error instanceof RequestError) return error;
  return new RequestError(-32603, message, typeof code === "string" ? { code } : undefined);
}

/** Serves an editor by the Agent Client Protocol until it ends the conversation. */
export async function serve({ service, input, output, signal }: Serving): Promise<void> {
  let sessions: Sessions | undefined;
  let hasSetup = false;
  const opened = (): Sessions => {
    if (sessions === undefined) throw RequestError.invalidRequest(undefined, "Send initialize first.");
    return sessions;
  };
  const does =
    <C, R>(work: (sessions: Sessions, context: C) => Promise<R> | R) =>
    async (context: C): Promise<R> => {
      try {
        return await work(opened(), context);
      } catch (error) {
        throw failure(error, hasSetup);
      }
    };
  const app = agent({ name: "pergola" })
    .onRequest("initialize", ({ params, client }) => {
      const ends = { client, service, capabilities: params.clientCapabilities ?? {} };
      hasSetup = ends.capabilities.auth?.terminal === true;
      sessions ??= new Sessions(ends);
      const authMethods = hasSetup ? [setup] : [];
      const agentInfo = { name: "pergola", title: "Pergola", version: packageJson.version };
      return { protocolVersion: 1, agentCapabilities: capabilities, agentInfo, authMethods };
    })
    .onRequest("authenticate", () => ({}))
    .onRequest(
      "session/new",
      does((all, { params }) => all.begin(params)),
    )
    .onRequest(
      "session/load",
      does((all, { params }) => all.goOn(params.sessionId, params, true)),
    )
    .onRequest(
      "session/resume",
      does((all, { params }) => all.goOn(params.sessionId, params, false)),
    )
    .onRequest(
      "session/list",
      does((all, { params }) => all.list(params)),
    )
    .onRequest(
      "session/close",
      does((all, { params }) => all.leave(params.sessionId)),
    )
    .onRequest(
      "session/delete",
      does((all, { params }) => all.remove(params.sessionId)),
    )
    .onRequest(
      "session/set_config_option",
      does((all, { params }) => all.choose(params)),
    )
    .onRequest(
      "session/prompt",
      does((all, { params, signal: ended }) => all.prompt(params, ended)),
    )
    .onNotification("session/cancel", ({ params }) => sessions?.cancel(params.sessionId));
  const toEditor = Writable.toWeb(output) as WritableStream<Uint8Array>;
  const fromEditor = Readable.toWeb(input) as ReadableStream<Uint8Array>;
  if (signal.aborted) return;
  const connection = app.connect(ndJsonStream(toEditor, fromEditor));
  signal.addEventListener("abort", () => connection.close());
  await connection.closed;
  await sessions?.closeAll();
}
