import type { EndpointRequest } from "@pergola/sdk";
import { isLoopback } from "./check-issuer.ts";

export const callbackPath = "/api/mcp/oauth/callback";

/**
 * Where a browser comes back to after a sign-in: on this computer the address that the service listens on,
 * else the one by which the person has come. Empty where a proxy does not say which that is.
 */
export function returnAddress({
  peer,
  localAddress = "",
  headers,
}: Pick<EndpointRequest, "peer" | "localAddress" | "headers">): string {
  const isPlainLocal = peer?.local === true && !peer.secure;
  if (!isPlainLocal) return addressBy(headers["host"] ?? "", peer);
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(localAddress) ?? [];
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${callbackPath}`;
}

function addressBy(host: string, peer: EndpointRequest["peer"]): string {
  const url = `${peer?.secure === true ? "https" : "http"}://${host}${callbackPath}`;
  const isOurs = peer?.local !== true && URL.canParse(url) && isLoopback(new URL(url));
  return isOurs ? "" : url;
}
