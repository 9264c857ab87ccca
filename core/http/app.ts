import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Route } from "@pergola/sdk";
import { admit } from "./access.ts";
import { fault } from "../fault.ts";
import { errorText, sendError } from "./error-response.ts";
import { defaultLimits, type HttpOptions } from "./options.ts";
import { peerOf } from "./peer.ts";
import { createRouter } from "./router.ts";

/**
 * Resolves with the port, which matters when 0 was asked for. Rejects with AppError `conflict`, which says
 * what to change.
 */
async function listen(server: Server, at: { readonly host: string; readonly port: number }): Promise<number> {
  await once(server.listen(at), "listening").catch((cause: NodeJS.ErrnoException) => {
    const message = `Port ${at.port} on ${at.host} ${reasonOf(cause)}. Choose another one with --port.`;
    throw fault("conflict", message, { cause });
  });
  return (server.address() as AddressInfo).port;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE") return "is taken by another program";
  return `cannot be opened (${code ?? message})`;
}

/**
 * Takes no more connections; resolves when all are closed, by force after the grace, in milliseconds.
 * `unused`: nothing was asked there.
 */
async function close(server: Server, unused: ReadonlySet<Socket>, grace = 5000): Promise<void> {
  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  };
  const sweep = setInterval(closeIdle, 50);
  const force = setTimeout(() => server.closeAllConnections(), grace);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(force);
}

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
  const route = createRouter(options, limits);
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
      const caller = await admit(request, response, options);
      if (request.method === "OPTIONS") return void response.writeHead(204).end();
      if (options.stopping() && !/^(GET|HEAD)$/.test(request.method ?? ""))
        throw fault("shutting_down", "The service is stopping.");
      const exchange = { id, caller, signal: leaving.signal, allowed: [] };
      route(Object.assign(request, { exchange }), response, fail);
    } catch (error) {
      fail(error);
    }
  };
  const server = createServer(
    { ...limits, requireHostHeader: false },
    (request, response) => void receive(request, response),
  );
  Object.assign(server, { maxConnections: limits.maxConnections, maxHeadersCount: 0 });
  server.on("clientError", refuseBytes);
  const unused = new Set<Socket>();
  server.on("connection", (socket) => void peerOf(socket));
  server.on("connection", (socket) => unused.add(socket.once("close", () => unused.delete(socket))));
  server.on("request", ({ socket }) => unused.delete(socket));
  return { server, listen: listen.bind(undefined, server), close: close.bind(undefined, server, unused) };
}
