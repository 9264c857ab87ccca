import type { FetchLike, OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { isPrivateWay } from "./check-issuer.ts";
import type { Revocation, StoredSession } from "./session-store.ts";

interface Client {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
}

/** Where an issuer takes tokens back; undefined where it does not, or somebody could read them on the way. */
export function revocationOf(discovery: OAuthDiscoveryState | undefined): Revocation | undefined {
  const metadata = discovery?.authorizationServerMetadata as Readonly<Record<string, unknown>> | undefined;
  const url = metadata?.["revocation_endpoint"];
  if (typeof url !== "string" || !URL.canParse(url) || !isPrivateWay(new URL(url))) return undefined;
  const methods =
    metadata?.["revocation_endpoint_auth_methods_supported"] ??
    metadata?.["token_endpoint_auth_methods_supported"];
  const takesBody = Array.isArray(methods) && methods.includes("client_secret_post");
  return { url, isBasic: !takesBody };
}

const encode = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+");

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

/** The header and the fields by which a client is known. */
function credentialsOf({ client_id, client_secret }: Client, { isBasic }: Revocation): Credentials {
  if (client_secret === undefined) return { headers: {}, fields: { client_id } };
  if (!isBasic) return { headers: {}, fields: { client_id, client_secret } };
  const pair = Buffer.from(`${encode(client_id)}:${encode(client_secret)}`).toString("base64");
  return { headers: { authorization: `Basic ${pair}` }, fields: {} };
}

/**
 * Gives the tokens of a session back to who issued them (RFC 7009): the refresh token first, with which most
 * take back all. Resolves at once where the issuer takes none. Throws Error.
 */
export async function revoke(
  session: StoredSession,
  given: Client | undefined,
  fetch: FetchLike,
): Promise<undefined> {
  const { tokens, revocation } = session;
  const client = given ?? session.client;
  if (tokens === undefined || revocation === undefined || client === undefined) return undefined;
  const { headers, fields } = credentialsOf(client, revocation);
  const all = { refresh_token: tokens.refresh_token, access_token: tokens.access_token };
  for (const [token_type_hint, token] of Object.entries(all)) {
    if (token === undefined) continue;
    const response = await fetch(revocation.url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, token, token_type_hint }),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${revocation.url} answered ${response.status}.`);
  }
  return undefined;
}
