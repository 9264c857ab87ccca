import { randomUUID } from "node:crypto";
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Caller, Route } from "@pergola/sdk";
import { checkForm, createAdmission, type RouteAccess } from "./access.ts";
import { Connections } from "./connections.ts";
import { fault } from "../fault.ts";
import { errorText, sendError } from "./error-response.ts";
import { Listeners, type Place } from "./listeners.ts";
import { defaultLimits, type HttpOptions } from "./options.ts";
import { peerOf } from "./peer.ts";
import { createRouter } from "./router.ts";

/** Answers bytes that are not HTTP, or arrive too slowly to become a request. */
function refuseBytes({ code }: NodeJS.ErrnoException, socket: Socket): void {
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[code ?? ""] ?? 400;
  const reason = STATUS_CODES[status] ?? "";
  const text = errorText(fault("invalid_value", `${reason}.`));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    "Connection: close",
    `Content-Length: ${text.length}`,
    "Content-Type: application/json; charset=utf-8",
  ];
  if (socket.writable && socket.bytesWritten === 0) socket.write([...head, "", text].join("\r\n"));
  socket.destroySoon();
}

/** The id that the client gave the request, or a new one. */
function idOf({ headers }: IncomingMessage): string {
  const id = String(headers["x-request-id"] ?? "");
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return randomUUID();
}

/** The HTTP server: admits callers, routes requests and answers failures. */
export function createHttpServer(options: HttpOptions) {
  const limits = { ...defaultLimits, ...options.limits };
  const connections = new Connections(limits.maxConnections);
  const admit = createAdmission({ ...options, ownNames: () => listeners.names });
  const route = createRouter(options, limits);
  let isDrained = false;

  /** Refuses what a stopping service does not begin: changes and, once it is drained, all but open routes. */
  const letIn = async (
    request: IncomingMessage,
    response: ServerResponse,
    target?: RouteAccess,
  ): Promise<Caller> => {
    const isClosed = isDrained && target?.open !== true;
    const caller = await admit(request, response, isClosed ? { open: true } : target);
    const isReading = /^(GET|HEAD)$/.test(request.method ?? "");
    if (isClosed || (options.stopping() && !isReading))
      throw fault("shutting_down", "The service is stopping.");
    return caller;
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = idOf(request);
    const leaving = new AbortController();
    const fail = (error: unknown, shape?: Route["failure"]): void =>
      sendError(error, response, { id, log: options.log, shape });
    response.on("close", () => response.writableFinished || leaving.abort());
    response.setHeader("X-Request-Id", id);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Vary", "Origin");
    response.shouldKeepAlive &&= !options.stopping();
    try {
      checkForm(request);
      if (request.method === "OPTIONS") return await answerPreflight(request, response);
      let caller: Promise<Caller> | undefined;
      const exchange = {
        id,
        admit: (target?: RouteAccess) => (caller ??= letIn(request, response, target)),
        signal: leaving.signal,
        allowed: [],
      };
      route(Object.assign(request, { exchange }), response, fail);
    } catch (error) {
      fail(error);
    }
  };

  const answerPreflight = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await admit(request, response, { open: true });
    response.setHeader("Vary", "Origin, Access-Control-Request-Headers");
    response.writeHead(204).end();
  };

  const server = createServer(
    { ...limits, requireHostHeader: false },
    (request, response) => void receive(request, response),
  );
  Object.assign(server, { maxHeadersCount: 0 });
  server.on("clientError", refuseBytes);
  server.on("connection", (socket) => {
    connections.add(socket);
    void peerOf(socket);
  });
  server.prependListener("request", ({ socket }, response) => connections.begin(socket, response));
  const listeners = new Listeners(server, options.log);

  /**
   * Waits until all requests are answered, or cuts them off after the grace, in milliseconds. The port stays
   * open: new requests are told that the service is stopping.
   */
  const drain = async (grace: number): Promise<void> => {
    connections.closeWaiting();
    if (!(await connections.settled(grace))) connections.closeAll();
    isDrained = true;
  };

  return {
    server,
    listen: (at: Place): Promise<number> => {
      isDrained = false;
      return listeners.listen(at);
    },
    drain,
    /** Drains, and closes the port. */
    close: async (grace = 5000): Promise<void> => {
      await drain(grace);
      const closed = listeners.close();
      connections.closeAll();
      await closed;
    },
  };
}
