import type { IncomingMessage, ServerResponse } from "node:http";
import { defined, type AppError, type Caller, type Route } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { anyoneAt, checkScope, ownerAt } from "./callers.ts";
import { addressOf, checkHost, checkOrigin, checkSite, type OriginOptions } from "./check-origin.ts";
import { credentialOf, type Credential } from "./credential.ts";
import type { HttpOptions } from "./options.ts";
import { isFromOwnChild } from "./own-children.ts";
import { canonicalAddress, peerOf, type Peer } from "./peer.ts";
import { RefusedOrigins } from "./refused-origins.ts";

/** What checks on access need to know. */
export type AccessOptions = HttpOptions & Pick<OriginOptions, "ownNames">;

type Context = AccessOptions & OriginOptions;

/** What counts of the route that a request is for; nothing where no route fits. */
export type RouteAccess = Pick<Route, "scope"> &
  Partial<Pick<Route, "method" | "path" | "anonymous" | "protected" | "page" | "tokenMetadata">>;

/** What is found out about a request on its way in, for whoever writes down how it ended. */
export interface Visit {
  peer?: Peer;
  caller?: Caller;
  /** Another host has let it in and handed it on. */
  isHandedOn?: boolean;
  /** Where tokens for its route are described. */
  tokenMetadata?: string;
}

/** Finds out who calls, and notes it in the visit. Throws AppError for who may not. */
export type Admit = (
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
  route?: RouteAccess,
) => Promise<Caller>;

/** Who calls, and whether anything but the address says so. */
interface Identified {
  readonly caller: Caller;
  readonly isProved: boolean;
  readonly isSession?: boolean;
}

/** Refuses what could be read in two ways. */
export function checkForm({ rawHeaders, url = "" }: IncomingMessage): void {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  );
  if (hosts.length !== 1) throw fault("invalid_value", "A request has exactly one Host header.");
  if (!url.startsWith("/")) throw fault("invalid_value", "The target of a request is a path.");
}

const isLoopback = (address: string): boolean => /^(127\.|::1$)/.test(address);

/** Whether it makes no difference who asks, neither to the route nor by a credential. */
function isAnonymous(
  request: IncomingMessage,
  route: RouteAccess | undefined,
  options: HttpOptions,
): boolean {
  if (route?.anonymous !== true || route.scope !== "open" || route.method !== "GET") return false;
  return !credentialOf(request).isGiven && options.cluster?.isFromHost(request) !== true;
}

/** Who is at the other end, by the settings of the door. */
function readPeer(request: IncomingMessage, anonymous: boolean, { preference }: HttpOptions): Promise<Peer> {
  return peerOf(request, {
    trustedProxies: preference("server.trusted_proxies"),
    needsAccount: !anonymous && preference("auth.loopback") === "same-user",
  });
}

/** Whether a caller on this computer is the owner without a credential, as `auth.loopback` says. */
function isOwner({ local, sameUser }: Peer, { preference }: HttpOptions): boolean {
  const rule = preference("auth.loopback");
  return local && (rule === "same-user" ? sameUser : rule !== "token");
}

/** No program that the service has started acts for the person, with or without a token. */
async function checkNoOwnChild({ socket }: IncomingMessage): Promise<void> {
  if (!isLoopback(canonicalAddress(socket.remoteAddress ?? ""))) return;
  if (!(await isFromOwnChild(socket))) return;
  const message =
    "Programs that this service has started may not use it: no plugin, tool or command acts for a person. " +
    "Run the command in a terminal of your own.";
  throw fault("remote_not_allowed", message);
}

function targetOf({ method = "", url = "" }: IncomingMessage) {
  const [path = ""] = url.split("?", 1);
  return { method: method === "HEAD" ? "GET" : method, path: path.replace(/(?<=.)\/$/, "") };
}

const tokenNeeded = "A valid token is required: Authorization: Bearer <token>.";
const noToken =
  "No token was sent, and this route needs one: Authorization: Bearer <token>, or x-api-key: <token>. " +
  "`pergola tokens add <name>` makes one on the computer of the service.";
const otherAccount =
  "This service belongs to another account of this computer. Use it from that account, or with a token: " +
  "Authorization: Bearer <token>.";

function refusal({ local }: Peer, { isGiven }: Credential, { preference }: HttpOptions): AppError {
  const isOtherAccount = local && preference("auth.loopback") === "same-user";
  if (isOtherAccount) return fault("invalid_api_key", otherAccount);
  return fault("invalid_api_key", isGiven ? tokenNeeded : noToken);
}

const signIn = { method: "POST", path: "/api/session" };

/** The caller whom a token or a session names; undefined without a valid one. */
function authenticate(
  request: IncomingMessage,
  peer: Peer,
  { token, session }: Credential,
  options: HttpOptions,
): Promise<Caller | undefined> {
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  const found = defined({ token, session });
  return options.authenticate({ ...targetOf(request), headers, ...peer, ...found });
}

/**
 * Counts who should have brought a valid credential. On this computer, those who bring nothing guess nothing.
 * Throws `rate_limited` once there were too many from there.
 */
async function countFailure(
  { place, local }: Peer,
  { isGiven }: Credential,
  { access }: HttpOptions,
): Promise<void> {
  if (isGiven || !local) await access?.()?.countFailure(place);
}

/**
 * Who calls: the owner by their proof or address, or whoever a token or a session names. Throws
 * `invalid_api_key` where the route needs one and there is none.
 */
async function identify(
  request: IncomingMessage,
  peer: Peer,
  route: RouteAccess | undefined,
  options: HttpOptions,
): Promise<Identified> {
  const credential = credentialOf(request);
  const { token = "", session, isGiven } = credential;
  if (peer.local && options.isOwnerProof(token)) return { caller: ownerAt(peer.address), isProved: true };
  const owner = isOwner(peer, options);
  const fallback = callerWithout(peer, owner, route);
  // Where all accounts are the owner, nothing that they send makes them less.
  const isIgnored = owner && options.preference("auth.loopback") === "none";
  if (!isIgnored && (isGiven || fallback === undefined)) {
    const caller = await authenticate(request, peer, credential, options);
    if (caller !== undefined) return { caller, isProved: true, isSession: session !== undefined };
  }
  if (fallback !== undefined) return { caller: fallback, isProved: false };
  await countFailure(peer, credential, options);
  throw refusal(peer, credential, options);
}

/** Who calls without a credential; undefined where the route needs one. */
function callerWithout(
  { address, local }: Peer,
  owner: boolean,
  route: RouteAccess | undefined,
): Caller | undefined {
  if (owner) return ownerAt(address);
  if (route?.scope === "open") return anyoneAt(address, !local);
  return undefined;
}

const isSignIn = (route: RouteAccess | undefined): boolean =>
  route?.method === signIn.method && route.path === signIn.path;

/** Host, Origin and site of a request, as strictly as it is known who sends it. */
function checkPage(
  request: IncomingMessage,
  response: ServerResponse,
  { peer, who, route }: { readonly peer: Peer; readonly who: Identified; readonly route?: RouteAccess },
  context: Context,
): void {
  if (peer.local && !who.isProved) {
    checkHost(request, context);
    checkSite(request, route, context);
  }
  const isOwnPage = who.isProved || (isSignIn(route) && !peer.local);
  checkOrigin(request, response, context, isOwnPage ? addressOf(request, peer.secure) : undefined);
  const isReading = /^(GET|HEAD)$/.test(request.method ?? "");
  if (who.isSession && !isReading && request.headers.origin === undefined) throw context.refused.refuse("");
}

/** Holds a caller with a token to its limits, and says in the answer's header what is left of them. */
async function limit(
  caller: Caller,
  { place }: Peer,
  response: ServerResponse,
  { access }: HttpOptions,
): Promise<void> {
  if (caller.kind === "owner" || caller.kind === "anyone") return;
  const state = await access?.()?.limit(caller, place);
  if (state === undefined) return;
  response.setHeader("RateLimit-Limit", state.limit);
  response.setHeader("RateLimit-Remaining", state.remaining);
  response.setHeader("RateLimit-Reset", state.reset);
  if (state.refusal !== undefined) throw state.refusal;
}

/** Who calls, as the host says that has let the request in. Throws `invalid_api_key` where none has. */
async function identifyHandedOn(
  request: IncomingMessage,
  peer: Peer,
  visit: Visit,
  options: HttpOptions,
): Promise<Caller> {
  const { method = "", url = "", headers } = request;
  const admitted = await options.cluster?.admit({ method, url, headers });
  if (admitted === undefined) {
    await countFailure(peer, { isGiven: true }, options);
    throw fault("invalid_api_key", "No host of this service has handed this request on.");
  }
  return Object.assign(visit, { ...admitted, isHandedOn: true }).caller;
}

/**
 * Identifies the caller before the body is read. The owner's requests on this computer need a valid Host
 * header, all others a token.
 */
export function createAdmission(options: AccessOptions): Admit {
  const context: Context = { ...options, refused: new RefusedOrigins(options.log) };
  return async (request, response, visit, route) => {
    const anonymous = isAnonymous(request, route, options);
    if (!anonymous) await checkNoOwnChild(request);
    if (route?.tokenMetadata !== undefined) visit.tokenMetadata = route.tokenMetadata;
    const peer = await readPeer(request, anonymous, options);
    visit.peer = peer;
    const isRemoteAdmin = options.preference<boolean>("server.remote_admin");
    if (options.cluster?.isFromHost(request) === true) {
      const caller = await identifyHandedOn(request, peer, visit, options);
      if (route !== undefined) checkScope(caller, route, isRemoteAdmin);
      return caller;
    }
    const who = await identify(request, peer, route, options);
    const { caller } = who;
    visit.caller = caller;
    checkPage(request, response, { peer, who, ...(route && { route }) }, context);
    if (route === undefined) await limit(caller, peer, response, options);
    if (route === undefined || route.scope === "open") return caller;
    checkScope(caller, route, isRemoteAdmin);
    await limit(caller, peer, response, options);
    return caller;
  };
}
