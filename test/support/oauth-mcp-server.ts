import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { serveStateless } from "./stateless-mcp.ts";

type Answer = readonly [status: number, body: object, headers?: Readonly<Record<string, string>>];

interface Grant {
  readonly client: string;
  readonly redirect: string;
  readonly challenge: string;
  readonly resource: string | null;
}

/** What a test changes about the issuer of tokens and the server behind it. */
export interface OAuthRules {
  /** Whether the metadata of resource and issuer are there. */
  hasMetadata: boolean;
  /** Where the server says that its metadata is, in place of the usual address. */
  resourceMetadata: string | undefined;
  /** What the issuer calls itself, in place of its address. */
  issuer: string | undefined;
  /** What it names in the answer to the browser, in place of itself; empty: nothing. */
  iss: string | undefined;
  canRegister: boolean;
  /** Whether an address that is read for a client's metadata is taken as its id. */
  takesAddresses: boolean;
  /** The person says no. */
  isDenied: boolean;
  /** Whether refresh tokens are taken. */
  refreshes: boolean;
  /** Seconds that an access token says it lasts. */
  lifetime: number;
  /** A scope that a call needs. */
  scope: string | undefined;
  /** The server speaks the revision 2026-07-28 and no other. */
  isStateless: boolean;
  /** Is called before a server of another revision lists its tools. */
  beforeListing: () => Promise<void>;
  /** What tokens that are given back are answered with; undefined: the issuer takes none back. */
  revocation: number | undefined;
}

/** A protected MCP server and the issuer of its tokens, on one loopback port. */
export interface OAuthMcpServer {
  readonly url: string;
  readonly rules: OAuthRules;
  /** What was registered, asked at the token endpoint, and sent to the MCP server. */
  readonly registrations: object[];
  readonly tokenRequests: Readonly<Record<string, string>>[];
  /** What was sent with tokens that were given back. */
  readonly revocations: Readonly<Record<string, string>>[];
  readonly authorizations: (string | undefined)[];
  /** The access tokens that are taken. */
  readonly accepted: Set<string>;
  close(): void;
}

export async function openOAuthMcpServer(): Promise<OAuthMcpServer> {
  const rules: OAuthRules = {
    hasMetadata: true,
    resourceMetadata: undefined,
    issuer: undefined,
    iss: undefined,
    canRegister: true,
    takesAddresses: false,
    isDenied: false,
    refreshes: true,
    lifetime: 3600,
    scope: undefined,
    isStateless: false,
    beforeListing: async () => undefined,
    revocation: undefined,
  };
  const registrations: object[] = [];
  const tokenRequests: Readonly<Record<string, string>>[] = [];
  const revocations: Readonly<Record<string, string>>[] = [];
  const authorizations: (string | undefined)[] = [];
  const accepted = new Set<string>();
  const scopes = new Map<string, string>();
  const grants = new Map<string, Grant & { readonly scope: string }>();
  const refreshTokens = new Set<string>();

  const issue = (scope: string): Answer => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    accepted.add(access);
    scopes.set(access, scope);
    refreshTokens.add(refresh);
    const tokens = { access_token: access, refresh_token: refresh, token_type: "Bearer" };
    return [200, { ...tokens, expires_in: rules.lifetime, ...(scope && { scope }) }];
  };

  const token = async (request: IncomingMessage): Promise<Answer> => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    tokenRequests.push(form);
    if (form["grant_type"] === "refresh_token") {
      const isKnown = refreshTokens.delete(form["refresh_token"] ?? "");
      return isKnown && rules.refreshes ? issue("") : [400, { error: "invalid_grant" }];
    }
    const grant = grants.get(form["code"] ?? "");
    grants.delete(form["code"] ?? "");
    const challenge = createHash("sha256")
      .update(form["code_verifier"] ?? "")
      .digest("base64url");
    const fits =
      grant?.challenge === challenge &&
      grant.redirect === form["redirect_uri"] &&
      grant.client === form["client_id"];
    return fits ? issue(grant.scope) : [400, { error: "invalid_grant" }];
  };

  const revoke = async (request: IncomingMessage): Promise<Answer> => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const { authorization } = request.headers;
    revocations.push({ ...form, ...(authorization !== undefined && { authorization }) });
    if (rules.revocation === 200) accepted.delete(form["token"] ?? "");
    return [rules.revocation ?? 404, {}];
  };

  const authorize = ({ searchParams: asked }: URL): Answer => {
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.searchParams.set("state", asked.get("state") ?? "");
    const iss = rules.iss ?? base;
    if (iss !== "") back.searchParams.set("iss", iss);
    if (rules.isDenied) back.searchParams.set("error", "access_denied");
    else {
      const code = randomUUID();
      grants.set(code, {
        client: asked.get("client_id") ?? "",
        redirect: asked.get("redirect_uri") ?? "",
        challenge: asked.get("code_challenge") ?? "",
        resource: asked.get("resource"),
        scope: asked.get("scope") ?? "",
      });
      back.searchParams.set("code", code);
    }
    return [302, {}, { location: back.href }];
  };

  const register = async (request: IncomingMessage): Promise<Answer> => {
    const asked = JSON.parse(await text(request)) as object;
    registrations.push(asked);
    return [201, { ...asked, client_id: `client-${registrations.length}` }];
  };

  const metadata = (): object => ({
    issuer: rules.issuer ?? base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    ...(rules.revocation !== undefined && { revocation_endpoint: `${base}/revoke` }),
    ...(rules.canRegister && { registration_endpoint: `${base}/register` }),
    ...(rules.takesAddresses && { client_id_metadata_document_supported: true }),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
  });

  const missing: Answer = [404, {}];
  const answers: Readonly<Record<string, (request: IncomingMessage, url: URL) => Answer | Promise<Answer>>> =
    {
      "/.well-known/oauth-protected-resource/mcp": () =>
        rules.hasMetadata ? [200, { resource: `${base}/mcp`, authorization_servers: [base] }] : missing,
      "/.well-known/oauth-authorization-server": () => (rules.hasMetadata ? [200, metadata()] : missing),
      "/register": register,
      "/authorize": (_, url) => authorize(url),
      "/token": token,
      "/revoke": revoke,
    };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization } = request.headers;
    authorizations.push(authorization);
    const sent = authorization?.replace("Bearer ", "") ?? "";
    const usual = `${base}/.well-known/oauth-protected-resource/mcp`;
    const place = `resource_metadata="${rules.resourceMetadata ?? usual}"`;
    if (!accepted.has(sent))
      return void response.writeHead(401, { "www-authenticate": `Bearer ${place}` }).end();
    if (rules.scope !== undefined && scopes.get(sent) !== rules.scope) {
      const wider = `Bearer error="insufficient_scope", scope="${rules.scope}", ${place}`;
      return void response.writeHead(403, { "www-authenticate": wider }).end();
    }
    const answer = `known as ${sent.slice(0, 6)}`;
    if (rules.isStateless) return serveStateless(request, response, answer);
    const server = new McpServer({ name: "protected", version: "1" });
    server.registerTool("who", { description: "Say who asks." }, () => ({
      content: [{ type: "text", text: answer }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const body = request.method === "POST" ? (JSON.parse(await text(request)) as object) : undefined;
    if (body !== undefined && "method" in body && body.method === "tools/list") await rules.beforeListing();
    await transport.handleRequest(request, response, body);
  };

  const http = createServer((request, response) => {
    const url = new URL(request.url ?? "", base);
    if (url.pathname === "/mcp") return void serve(request, response);
    void Promise.resolve(answers[url.pathname]?.(request, url) ?? missing).then(
      ([status, body, headers = {}]) =>
        response
          .writeHead(status, { "content-type": "application/json", ...headers })
          .end(JSON.stringify(body)),
    );
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const close = (): void => void http.close().closeAllConnections();
  return {
    url: `${base}/mcp`,
    rules,
    registrations,
    tokenRequests,
    revocations,
    authorizations,
    accepted,
    close,
  };
}
