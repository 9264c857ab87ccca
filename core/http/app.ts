import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Caller, Route } from "@pergola/sdk";
import { accessEnded } from "@pergola/sdk/host";
import { checkForm, createAdmission, type RouteAccess, type Visit } from "./access.ts";
import { guardAnswer } from "./answer-headers.ts";
import { accountOf } from "./connection-account.ts";
import { Connections } from "./connections.ts";
import { fault } from "../fault.ts";
import { challengeOf } from "./challenge.ts";
import { dialectsOf } from "./dialects.ts";
import { sendError } from "./error-response.ts";
import { Listeners, type BoundPorts } from "./listeners.ts";
import type { ListeningPlan } from "./listening-plan.ts";
import { defaultLimits, type HttpOptions } from "./options.ts";
import { noteRefusal } from "./note-refusal.ts";
import { OpenAnswers } from "./open-answers.ts";
import { refuseBytes } from "./refuse-bytes.ts";
import { createRouter } from "./router.ts";

/** Milliseconds after which the account of a connection is looked up that has asked nothing yet. */
const quiet = 5;

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
  const admit = createAdmission({ ...options, ownNames: (port) => listeners.namesAt(port) });
  const route = createRouter(options, limits);
  const dialectOf = dialectsOf(options.routes);
  const open = new OpenAnswers();
  let isDrained = false;

  /** Refuses what a stopping service does not begin: changes and, once it is drained, all but open routes. */
  const letIn = async (
    request: IncomingMessage,
    response: ServerResponse,
    visit: Visit,
    target?: RouteAccess,
  ): Promise<Caller> => {
    const isClosed = isDrained && target?.scope !== "open";
    const since = open.now();
    const caller = await admit(request, response, visit, isClosed ? { scope: "open" } : target);
    open.add(caller, response, since);
    const isReading = /^(GET|HEAD)$/.test(request.method ?? "");
    if (isClosed || (options.stopping() && !isReading))
      throw fault("shutting_down", "The service is stopping.");
    return caller;
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = idOf(request);
    const leaving = new AbortController();
    const visit: Visit = {};
    const dialect = dialectOf(request);
    const fail = (error: unknown, shape?: Route["failure"]): void => {
      noteRefusal(error, request, { ...visit, requestId: id }, options.access?.());
      sendError(error, response, {
        id,
        log: options.log,
        challenge: challengeOf(request, visit),
        shape: (failure) => shape?.(failure, id) ?? dialect?.failure?.(failure, id),
      });
    };
    const leave = (): void => leaving.abort(open.hasEnded(response) ? accessEnded() : undefined);
    response.on("close", () => response.writableFinished || leave());
    response.setHeader("X-Request-Id", id);
    if (dialect !== undefined) response.setHeader(dialect.requestId, id);
    guardAnswer(response);
    response.setHeader("X-Pergola", options.version);
    response.shouldKeepAlive &&= !options.stopping();
    try {
      checkForm(request);
      if (request.method === "OPTIONS") return await answerPreflight(request, response, visit);
      let caller: Promise<Caller> | undefined;
      const exchange = {
        id,
        visit,
        admit: (target?: RouteAccess) => (caller ??= letIn(request, response, visit, target)),
        signal: leaving.signal,
        allowed: [],
      };
      route(Object.assign(request, { exchange }), response, fail);
    } catch (error) {
      fail(error);
    }
  };

  const answerPreflight = async (
    request: IncomingMessage,
    response: ServerResponse,
    visit: Visit,
  ): Promise<void> => {
    await admit(request, response, visit, { scope: "open" });
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
    const look = (): void => void (socket.destroyed || accountOf(socket).catch(() => undefined));
    setTimeout(look, quiet).unref();
  });
  server.prependListener("request", ({ socket }, response) => connections.begin(socket, response));
  const listeners = new Listeners(server, { log: options.log, limits, connections });

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
    isAnswering: (): boolean => connections.isAnswering,
    /** Cuts off what is open for a token. */
    endAnswersOf: (callerId: string): void => open.endOf(callerId),
    listen: (plan: ListeningPlan): Promise<BoundPorts> => {
      isDrained = false;
      return listeners.listen(plan);
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
