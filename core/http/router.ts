import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import { Router, type RequestHandler } from "express";
import {
  compareText,
  type AppError,
  type Caller,
  type EndpointAnswer,
  type EndpointRequest,
  type Route,
} from "@pergola/sdk";
import type { Scope } from "@pergola/sdk/host";
import type { Visit } from "./access.ts";
import { readBody, streamBody } from "./body.ts";
import { requireScope } from "./callers.ts";
import { checkerOf } from "./check-request.ts";
import { fault } from "../fault.ts";
import { labelOfOther } from "../cluster/label-of-other.ts";
import type { HttpOptions, Limits } from "./options.ts";
import { schemasOf } from "./route-schemas.ts";
import { sendAnswer } from "./send-answer.ts";
import { Unsent } from "./unsent.ts";

/** A request on its way to a route. `allowed` gathers the methods of routes that fit but for the method. */
interface Incoming extends IncomingMessage {
  readonly exchange: {
    readonly id: string;
    readonly signal: AbortSignal;
    /** What is known of the request by now. */
    readonly visit: Visit;
    /** Finds out who calls, once. Rejects with AppError if they may not; nothing is done before it. */
    readonly admit: (route?: Route) => Promise<Caller>;
    readonly allowed: string[];
    /** The route that answers; absent until its caller is let in. */
    route?: Route;
    /** Absent until it is read. */
    rawBody?: unknown;
  };
  readonly params?: Readonly<Record<string, string | readonly string[]>>;
}

/** What bounds an answer, and all of them together. */
interface Bounds {
  readonly limits: Limits;
  readonly unsent: Unsent;
}

type Handler = (request: Incoming, response: ServerResponse, next: () => void) => Promise<void> | void;
type Failed = (error: unknown, shape?: Route["failure"]) => void;
type RouteTable = (request: Incoming, response: ServerResponse, failed: Failed) => void;

const patternOf = (path: string): string => path.replace(/\{(\w+)…\}/, "*$1").replaceAll(/\{(\w+)\}/g, ":$1");

/** A parameter's text; the rest of a path comes as its steps. */
function textOf(value: string | readonly string[] = ""): string {
  if (typeof value === "string") return value;
  return value.join("/").replace(/\/$/, "");
}

/** Whether a web page may have sent it: browsers say so with every request that has a body. */
const isFromPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;

/** The address at which a request arrived; an IPv4 address that arrives over IPv6 as IPv4. */
const localAddressOf = ({ socket: { localAddress = "", localPort = 0 } }: IncomingMessage): string =>
  `${localAddress.replace(/^::ffff:(?=\d+\.)/, "")}:${localPort}`;

/** What the rest of a path must look like for the route to be meant: the pattern of its parameter. */
function restPattern({ path, params }: Route): (params: Incoming["params"]) => boolean {
  const name = /\{(\w+)…\}/.exec(path)?.[1] ?? "";
  const pattern = params?.[name]?.pattern;
  if (pattern === undefined) return () => true;
  const form = new RegExp(pattern, "u");
  return (params) => form.test(textOf(params?.[name]));
}

/** Fixed paths sort before parameters, and those before the rest of a path. */
const rank = (path: string): string => path.replace(/\{\w+…\}/, "~~").replaceAll(/\{\w+\}/g, "~");

/** The answer of the host that has what the request needs; rejects with the error where that is not it. */
async function answerElsewhere(
  error: unknown,
  request: Incoming,
  { rawBody, bytes, caller, signal }: EndpointRequest,
  cluster: HttpOptions["cluster"],
): Promise<EndpointAnswer> {
  const { id, visit } = request.exchange;
  const { peer, isHandedOn = false } = visit;
  const label = labelOfOther(error);
  const isHere = label === undefined || cluster === undefined || isHandedOn;
  // What was read of a body that comes in pieces is gone.
  const isPartlyRead = bytes !== undefined && request.readableDidRead;
  if (isHere || isPartlyRead || peer === undefined) throw error;
  const { method = "", url = "", headers } = request;
  const json = rawBody === undefined ? null : JSON.stringify(rawBody);
  return cluster.handOn(label, { id, method, url, headers, caller, peer, signal, body: bytes ?? json });
}

/** What a request to a route is checked with. */
function checksOf(route: Route) {
  const { params, query, body } = schemasOf(route);
  return {
    checkParams: checkerOf({ name: "The path", schema: params }),
    checkQuery: checkerOf({ name: "The query", schema: query, coerce: true }),
    checkBody: checkerOf({ name: "The body", schema: body }),
  };
}

function handlerOf(
  route: Route,
  { services, preference, cluster }: HttpOptions,
  { limits, unsent }: Bounds,
): Handler {
  /** Made with the first request: a start makes none of the hundreds of routes that are not asked. */
  let checks: ReturnType<typeof checksOf> | undefined;
  const bodiesOf = async (request: Incoming, { checkBody }: ReturnType<typeof checksOf>) => {
    if (route.method === "GET") return { rawBody: undefined, body: undefined };
    if (route.takes === "bytes") return { rawBody: undefined, body: undefined, bytes: streamBody(request) };
    const bytes = preference<number>("server.max_body_bytes");
    const anyType = route.takes === "untyped" && !isFromPage(request);
    const rawBody = await readBody(request, { bytes, depth: limits.bodyDepth, anyType });
    request.exchange.rawBody = rawBody;
    return { rawBody, body: checkBody(rawBody) };
  };
  return async (request, response) => {
    const { id, admit, signal, visit } = request.exchange;
    const caller = await admit(route);
    request.exchange.route = route;
    checks ??= checksOf(route);
    const { checkParams, checkQuery } = checks;
    const steps = Object.entries(request.params ?? {}).map(([name, value]) => [name, textOf(value)]);
    const [, search = ""] = /\?([^]*)/.exec(request.url ?? "") ?? [];
    const params = checkParams(Object.fromEntries(steps)) as Record<string, string>;
    const query = checkQuery(parse(search)) as Record<string, unknown>;
    const headers = request.headers as Record<string, string | undefined>;
    const bodies = await bodiesOf(request, checks);
    const localAddress = localAddressOf(request);
    const disconnect = (): void => void response.destroy();
    const known = {
      id,
      params,
      query,
      ...bodies,
      headers,
      caller,
      requireScope: (scope: Scope) => requireScope(caller, scope),
      ...(visit.peer && { peer: visit.peer }),
      localAddress,
      signal,
      disconnect,
    };
    const handle = async (): Promise<EndpointAnswer> => route.handle(known, services);
    const answer = await handle().catch((error: unknown) => answerElsewhere(error, request, known, cluster));
    const pingSeconds = preference<number>("stream.ping_seconds");
    await sendAnswer(answer, response, { signal, limits, pingSeconds, unsent });
  };
}

/** Lets a request pass that is for another route, or whose group of routes is switched off. */
function guardedHandler(
  route: Route & { readonly group: string },
  options: HttpOptions,
  bounds: Bounds,
): Handler {
  const handle = handlerOf(route, options, bounds);
  const matchesRest = restPattern(route);
  const methods: string[] = [route.method];
  if (route.method === "GET") methods.push("HEAD");
  return (request, response, next) => {
    const isEnabled = options.preference(`endpoints.${route.group}.enabled`) !== false;
    if (!isEnabled || !matchesRest(request.params)) return next();
    if (methods.includes(request.method ?? "")) return handle(request, response, next);
    request.exchange.allowed.push(...methods);
    next();
  };
}

/** The words that a route's path begins with, two at most: `/v1/chat` of `/v1/chat/{id}`. */
function headOf(path: string): string {
  const words = path.split("/").slice(1, 3);
  const parameter = words.findIndex((word) => word.includes("{"));
  return words.slice(0, parameter < 0 ? words.length : parameter).join("/");
}

/** The heads of all routes that may fit a request, the longest first: a word goes before a parameter. */
function headsOf({ url = "" }: IncomingMessage): readonly string[] {
  const [, first = "", second = ""] = url.replace(/[?#][^]*/, "").split("/", 3);
  return [...new Set([`${first}/${second}`, first, ""])];
}

/** One of the paths of a route. */
interface Entry {
  readonly path: string;
  readonly route: HttpOptions["routes"][number];
}

/** Express's router for some of the paths. */
function routerOf(entries: readonly Entry[], options: HttpOptions, bounds: Bounds): RequestHandler {
  // The router alone: Express's application changes the prototypes of every request, which costs more than
  // all that is done here.
  const router = Router({ caseSensitive: true });
  for (const { path, route } of entries) {
    const handler = guardedHandler(route, options, bounds);
    router.all(patternOf(path), handler as unknown as RequestHandler);
  }
  return router;
}

function unmatched({ exchange, url = "" }: Incoming, response: ServerResponse): AppError {
  const allowed = [...new Set(exchange.allowed)].join(", ");
  if (allowed === "") return fault("route_not_found", `There is no route ${url.replace(/\?.*/, "")}.`);
  response.setHeader("Allow", allowed);
  return fault("method_not_allowed", `This path takes only ${allowed}.`);
}

/** Callers who are not let in learn that alone, and not which routes there are. */
async function failureOf(error: unknown, request: Incoming, response: ServerResponse): Promise<unknown> {
  const { route, admit } = request.exchange;
  if (route === undefined) await admit();
  return error ?? unmatched(request, response);
}

/**
 * One function for all routes. It calls `failed` with what a route throws, and how it tells that, and with
 * `route_not_found` and `method_not_allowed`.
 */
export function createRouter(options: HttpOptions, limits: Limits): RouteTable {
  const entries = options.routes.flatMap((route) =>
    [route.path, ...(route.aliases ?? [])].map((path) => ({ path, route })),
  );
  const bounds: Bounds = { limits, unsent: new Unsent(limits.unsentBytes) };
  const yielding = ({ route }: { readonly route: Route }): number => Number(route.yields === true);
  entries.sort((a, b) => compareText(rank(a.path), rank(b.path)) || yielding(a) - yielding(b));
  const tables = new Map<string, { readonly entries: Entry[]; router?: RequestHandler }>();
  for (const entry of entries) {
    const head = headOf(entry.path);
    const table = tables.get(head) ?? { entries: [] };
    table.entries.push(entry);
    tables.set(head, table);
  }
  return (request, response, failed) => {
    const { exchange } = request;
    const shape: Route["failure"] = (error, id) => exchange.route?.failure?.(error, id, exchange.rawBody);
    const fail = (error: unknown): void => failed(error, shape);
    const fitting = headsOf(request).flatMap((head) => tables.get(head) ?? []);
    const next = (error?: unknown): void => {
      const table = error === undefined ? fitting.shift() : undefined;
      if (table === undefined) return void failureOf(error, request, response).then(fail, fail);
      // Made with the first request: a start would make patterns of hundreds of paths.
      table.router ??= routerOf(table.entries, options, bounds);
      table.router(request as never, response as never, next);
    };
    next();
  };
}
