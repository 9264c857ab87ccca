import type { IncomingMessage } from "node:http";
import type { Visit } from "./access.ts";
import { addressOf } from "./check-origin.ts";

const plainHost = /^[\w.:[\]-]+$/;

/** WWW-Authenticate of a 401: a token is needed and, for some routes, where that is described (RFC 9728). */
export function challengeOf(request: IncomingMessage, { peer, tokenMetadata }: Visit): string {
  if (tokenMetadata === undefined || !plainHost.test(request.headers.host ?? "")) return "Bearer";
  return `Bearer resource_metadata="${addressOf(request, peer?.secure === true)}${tokenMetadata}"`;
}
