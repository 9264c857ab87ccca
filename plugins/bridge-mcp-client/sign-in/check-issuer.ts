import type { OAuthDiscoveryState } from "@modelcontextprotocol/client";

export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Whether nobody on the way can read what is sent there. */
export const isPrivateWay = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

/** Whether a sign-in at the server is possible for a browser that comes back there. Throws Error. */
export function checkWay(server: string, redirect: string): void {
  if (!isPrivateWay(new URL(server))) throw new Error("Its url is not https; tokens would be read.");
  if (redirect === "")
    throw new Error(
      "The proxy does not say by which name you have come: let it send on the Host header, or sign in on " +
        "the computer of the service.",
    );
  if (isPrivateWay(new URL(redirect))) return;
  throw new Error("You have come over plain http. Sign in on the computer of the service, or over https.");
}

const sameIssuer = (a: string, b: string): boolean =>
  URL.canParse(a) &&
  URL.canParse(b) &&
  new URL(a).href.replace(/\/$/, "") === new URL(b).href.replace(/\/$/, "");

/** What helps where both are this computer, under another name; empty where they are not. */
function otherName(asked: string, issuer: string): string {
  if (!URL.canParse(issuer)) return "";
  const [from, to] = [new URL(asked), new URL(issuer)];
  if (!isLoopback(from) || !isLoopback(to) || from.port !== to.port) return "";
  return ` Both are this computer: write ${to.hostname} in place of ${from.hostname} in the server's url.`;
}

/**
 * What was found out about who issues the tokens (RFC 8414): it must be there, name itself as it was asked
 * for, and be reached in private. Throws Error, which says what the person can do.
 */
export function checkIssuer({
  authorizationServerUrl,
  authorizationServerMetadata,
}: OAuthDiscoveryState): void {
  if (authorizationServerMetadata === undefined)
    throw new Error(
      "It asks for a sign-in and does not say where. If it gave you a token, set that as the server's token.",
    );
  const { issuer, authorization_endpoint: page, token_endpoint: tokens } = authorizationServerMetadata;
  if (!sameIssuer(issuer, authorizationServerUrl))
    throw new Error(
      `The issuer of its tokens, ${authorizationServerUrl}, calls itself ${issuer}: not trusted.` +
        otherName(authorizationServerUrl, issuer),
    );
  for (const url of [authorizationServerUrl, page, tokens])
    if (!isPrivateWay(new URL(url))) throw new Error(`${url} is not reached over https: not trusted.`);
}

/**
 * Whether an answer comes from the issuer that was asked (RFC 9207): `iss` names it, and is only absent where
 * the issuer does not promise it.
 */
export function isFromIssuer(iss: string | undefined, state: OAuthDiscoveryState | undefined): boolean {
  const metadata = state?.authorizationServerMetadata as Readonly<Record<string, unknown>> | undefined;
  if (iss === undefined) return metadata?.["authorization_response_iss_parameter_supported"] !== true;
  return iss === metadata?.["issuer"];
}
