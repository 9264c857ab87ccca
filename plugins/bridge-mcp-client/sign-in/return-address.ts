import type { EndpointRequest } from "@pergola/sdk";

export const callbackPath = "/api/mcp/oauth/callback";

/**
 * Where a browser comes back to after a sign-in: on this computer the address that the service listens on,
 * else the one by which the person has come.
 */
export function returnAddress({
  peer,
  localAddress = "",
  headers,
}: Pick<EndpointRequest, "peer" | "localAddress" | "headers">): string {
  const isPlainLocal = peer?.local === true && !peer.secure;
  if (!isPlainLocal)
    return `${peer?.secure === true ? "https" : "http"}://${headers["host"] ?? ""}${callbackPath}`;
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(localAddress) ?? [];
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${callbackPath}`;
}
