import {
  AppError,
  defineEndpoints,
  defineRoute,
  successSchema,
  type EndpointRequest,
  type ServicesWith,
} from "@pergola/sdk";
import { callerSchema, scopesSchema } from "./schemas.ts";

type Available = ServicesWith<"access">;

const text = { type: "string" } as const;
const noStore = { "Cache-Control": "no-store" } as const;

/** The session's cookie: `__Host-` over TLS, so that no other site of the domain can set it. */
function cookieLine(value: string, isSecure: boolean, rest: string): string {
  const name = isSecure ? "__Host-pergola_session" : "pergola_session";
  const attributes = ["HttpOnly", "SameSite=Strict", "Path=/", ...(isSecure ? ["Secure"] : []), rest];
  return [`${name}=${value}`, ...attributes.filter(Boolean)].join("; ");
}

/** The session's cookie of a request that was let in with it. */
const cookieOf = ({ headers }: Pick<EndpointRequest, "headers">): string =>
  /(?:^|;\s*)(?:__Host-)?pergola_session=([^;]*)/.exec(headers["cookie"] ?? "")?.[1] ?? "";

const isSecure = ({ peer }: Pick<EndpointRequest, "peer">): boolean => peer?.secure === true;

export const makeOwnerCode = defineRoute({
  method: "POST",
  path: "/api/session/code",
  scope: "owner",
  summary: "Make a code that signs a browser in once, as the owner or for a token",
  strict: true,
  body: {
    type: "object",
    properties: { tokenId: { ...text, description: "`tok_…`; absent = the owner's own browser here" } },
  },
  answers: {
    201: { "application/json": { type: "object", properties: { code: text, expiresAt: text } } },
  },
  failures: ["not_found"],
  handle: async ({ body }, { access }: Available) => ({
    status: 201,
    headers: noStore,
    body: await access.makeCode(body.tokenId === undefined ? "owner" : { tokenId: body.tokenId }),
  }),
});

export const signIn = defineRoute({
  method: "POST",
  path: "/api/session",
  scope: "open",
  summary: "Sign a browser in, with a code or a token",
  description:
    "Sets the cookie of the session. Every later request needs the cookie and the key as `X-CSRF-Token`.",
  strict: true,
  body: {
    type: "object",
    properties: { code: { ...text, minLength: 1, maxLength: 200, description: "Absent with a token" } },
    examples: [{ code: "lS8QqXb4cF2rJ1uYt0w9Zg" }],
  },
  response: { type: "object", properties: { key: text, scopes: scopesSchema, expiresAt: text } },
  failures: [],
  async handle(request, { access }: Available) {
    const { body, caller, peer } = request;
    const place = peer?.place ?? caller.id;
    const by = body.code === undefined ? { caller, place } : { code: body.code, caller, place };
    const { cookie, ...shown } = await access.signIn(by);
    const line = cookieLine(cookie, isSecure(request), "");
    return { headers: { ...noStore, "Set-Cookie": line }, body: shown };
  },
});

export const showSession = defineRoute({
  method: "GET",
  path: "/api/session",
  scope: "read",
  summary: "Show who calls",
  response: {
    type: "object",
    properties: {
      caller: callerSchema,
      scopes: scopesSchema,
      expiresAt: { type: ["string", "null"], description: "Of the session; null without one" },
    },
  },
  failures: [],
  async handle(request, { access }: Available) {
    const { kind, id, name, remote, scopes } = request.caller;
    const end = await access.sessionEnd(cookieOf(request));
    return { headers: noStore, body: { caller: { kind, id, name, remote }, scopes, expiresAt: end ?? null } };
  },
});

export const signOut = defineRoute({
  method: "DELETE",
  path: "/api/session",
  scope: "chat",
  summary: "Sign this browser out",
  response: successSchema,
  failures: ["not_found"],
  async handle(request, { access }: Available) {
    const cookie = cookieOf(request);
    if ((await access.sessionEnd(cookie)) === undefined)
      throw new AppError({ code: "not_found", message: "This request belongs to no session." });
    await access.signOut(cookie, request.caller);
    const line = cookieLine("", isSecure(request), "Max-Age=0");
    return { headers: { "Set-Cookie": line }, body: { success: true } };
  },
});

export const session = defineEndpoints({
  group: "session",
  needs: "access",
  routes: [makeOwnerCode, signIn, showSession, signOut],
});
