import type { IncomingMessage } from "node:http";
import type { DoorRequest } from "@pergola/sdk";

/** What a request brings to show who sends it. Neither is there where it brings nothing that can be read. */
export type Credential = Pick<DoorRequest, "token" | "session"> & {
  /** It brings something, readable or not. */
  readonly isGiven: boolean;
};

/** Longer ones are no tokens and are not read. */
const longest = 512;

const unreadable: Credential = { isGiven: true };
const sessionCookie = /^(?:__Host-)?pergola_session=(.*)$/;
/** Names of query parameters in which programs send tokens; addresses are written down in many places. */
const inQuery = /[?&](?:access_token|api[-_]?key|auth(?:orization)?|token)=/i;

const countOf = ({ rawHeaders }: IncomingMessage, name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

function cookieOf({ headers }: IncomingMessage): string | undefined {
  const cookies =
    headers.cookie?.split(";").flatMap((one) => sessionCookie.exec(one.trim())?.[1] ?? []) ?? [];
  const [cookie, other] = new Set(cookies);
  return other === undefined ? cookie : undefined;
}

/** Whether somebody could read the request in two ways, or read the credential in a log. */
const isUnclear = (request: IncomingMessage, given: readonly string[]): boolean =>
  inQuery.test(request.url ?? "") ||
  countOf(request, "authorization") > 1 ||
  countOf(request, "x-api-key") > 1 ||
  given.some((text) => text.length > longest);

const bearerOf = (text: string): string => /^Bearer +(\S+)$/i.exec(text)?.[1] ?? "";

/**
 * The one credential of a request: `Authorization: Bearer`, `x-api-key`, or the cookie and the page key of a
 * session. Two that differ, another scheme, one in the query and one of more than 512 bytes are unreadable.
 */
export function credentialOf(request: IncomingMessage): Credential {
  const { authorization, "x-api-key": apiKey, "x-csrf-token": key } = request.headers;
  const cookie = cookieOf(request);
  const given = [authorization, apiKey, key, cookie].flatMap((text) => text ?? []);
  if (isUnclear(request, given)) return unreadable;
  const tokens = [authorization === undefined ? undefined : bearerOf(authorization), apiKey].flatMap(
    (text) => text ?? [],
  );
  const [token, other] = new Set(tokens);
  if (other !== undefined || token === "") return unreadable;
  if (token !== undefined) return { isGiven: true, token };
  if (cookie !== undefined && typeof key === "string") return { isGiven: true, session: { cookie, key } };
  return { isGiven: given.length > 0 };
}
