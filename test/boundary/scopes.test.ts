import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { addToken, fromElsewhere, openDoorStage } from "./door-scene.ts";

const all = ["read", "chat", "tools", "approve", "admin"] as const;
type Scope = (typeof all)[number];

const pages = ["GET /", "GET /web/{file…}", "GET /docs", "GET /docs/{file…}"];
const open = ["GET /health", "POST /api/session", ...pages];
const openToo = ["GET /api/mcp/oauth/callback", "GET /.well-known/oauth-protected-resource", "HEAD /"];
const ownersOwn = ["POST /api/session/code", "PATCH /api/plugins/{id…}"];

/** What needs more than its method says: the first form that fits a route decides. */
const table: readonly (readonly [form: RegExp, scope: Scope])[] = [
  [/^\w+ \/api\/(approvals|grants|held-files)/, "approve"],
  [/^\w+ \/(api\/tokens|api\/audit|api\/doctor)/, "admin"],
  [/^(POST|PATCH|PUT|DELETE) \/api\/(mcp\/servers|providers|preferences)/, "admin"],
  [/^(POST|PATCH|PUT|DELETE) \/api\/models/, "admin"],
  [/^\w+ \/mcp$/, "tools"],
  [/^POST \/debug\/mcp\/execute$/, "tools"],
  [/^PATCH \/api\/tools\//, "tools"],
  [/^POST \/api\/runs\/\{runId\}\/revert$/, "tools"],
  [/^PUT .*\/files\//, "tools"],
  [/^POST (\/v1\/messages\/count_tokens|\/api\/show)$/, "read"],
  [/^GET /, "read"],
  [/^(POST|PATCH|PUT|DELETE) /, "chat"],
];

const expectedOf = (name: string): Scope | undefined => table.find(([form]) => form.test(name))?.[1];

describe("scopes", () => {
  let stage: Stage;
  const without = new Map<Scope, string>();
  let whole = "";

  before(async () => {
    stage = await openDoorStage({ settings: { "debug.allow_remote": true } });
    whole = (await addToken(stage.host, "all", { scopes: all })).secret;
    for (const scope of all) {
      const scopes = all.filter((one) => one !== scope);
      without.set(scope, (await addToken(stage.host, `no ${scope}`, { scopes })).secret);
    }
  });
  after(() => stage.end());

  const named = () =>
    stage.host.services.system.routes().map((route) => ({ route, name: `${route.method} ${route.path}` }));

  /** The answer's status and what it lacks; a stream is not read. */
  const ask = async (method: string, path: string, token: string | undefined) => {
    const leaving = new AbortController();
    const headers: Record<string, string> = { "X-Forwarded-For": "203.0.113.9" };
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    if (method !== "GET") headers["Content-Type"] = "application/json";
    const body = method === "GET" ? {} : { body: "[]" };
    const url = `${stage.host.url}${path.replaceAll(/\{\w+…?\}/g, "x")}`;
    const answer = await fetch(url, { method, headers, signal: leaving.signal, ...body });
    const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
    const text = isJson ? await answer.text() : "";
    leaving.abort();
    const lacks = /"code":"insufficient_scope".*"scope":"(\w+)"/.exec(text)?.[1] ?? null;
    return { status: answer.status, lacks, header: answer.headers.get("www-authenticate") };
  };

  it("X42 names for every route the scope of the contract", () => {
    const found = named();
    expect(found.length).to.be.above(80);
    for (const { route, name } of found) {
      let expected: string | undefined = expectedOf(name);
      if ([...open, ...openToo].includes(name)) expected = "open";
      if (ownersOwn.includes(name)) expected = "owner";
      expect(`${name}: ${route.scope}`).to.equal(`${name}: ${expected}`);
    }
  });

  it("X42 refuses on every route the one token that lacks its scope, and nobody else", async () => {
    for (const { route, name } of named()) {
      const { method, path, scope } = route;
      if (scope === "open") continue;
      expect(`${name} ${(await ask(method, path, undefined)).status}`).to.equal(`${name} 401`);
      if (scope === "owner") {
        expect(`${name} ${(await ask(method, path, whole)).status}`).to.equal(`${name} 403`);
        continue;
      }
      for (const missing of all) {
        const { status, lacks, header } = await ask(method, path, without.get(missing));
        const isRefused = missing === scope;
        expect(`${name} without ${missing}: ${lacks}`).to.equal(
          `${name} without ${missing}: ${isRefused ? scope : null}`,
        );
        if (!isRefused) continue;
        expect(status).to.equal(403);
        expect(header).to.equal(`Bearer error="insufficient_scope", scope="${scope}"`);
      }
    }
  }).timeout(120_000);

  it("X42 needs admin to switch a tool for all, and tools to switch it in a conversation", async () => {
    const off = { enabled: false };
    const body = { ...off, conversationId: "00000000-0000-4000-8000-000000000000" };
    const change = (token: string | undefined, what: object) =>
      fromElsewhere(stage.host, "/api/tools/file_operations", { method: "PATCH", token, body: what });
    const refused = await change(without.get("admin"), off);
    expect([refused.status, refused.body.error.details]).to.deep.equal([403, { scope: "admin" }]);
    expect((await change(without.get("admin"), body)).status).to.equal(404);
    const { body: shown } = await stage.host.json<{ enabled: boolean }>("GET", "/api/tools/file_operations");
    expect(shown.enabled).to.equal(true);
  });

  it("X42 lets no remote token at what is protected while server.remote_admin is off", async () => {
    const closed = await openDoorStage({ settings: { "server.remote_admin": false } });
    try {
      await tryProtected(closed);
    } finally {
      await closed.end();
    }
  });
});

/** Asks for all that is protected, with a token that has all scopes. */
async function tryProtected({ host }: Stage): Promise<void> {
  const { secret: token } = await addToken(host, "all", { scopes: all });
  const protectedRoutes = host.services.system.routes().filter((route) => route.protected === true);
  expect(protectedRoutes.length).to.be.above(5);
  for (const { method, path } of protectedRoutes) {
    const { body } = await fromElsewhere(host, path.replaceAll(/\{\w+…?\}/g, "x"), {
      method,
      token,
      ...(method !== "GET" && { body: {} }),
    });
    expect(`${method} ${path} ${body.error.code}`).to.equal(`${method} ${path} remote_not_allowed`);
  }
  const key = { "server.allowed_origins": ["https://evil.example"] };
  const { body } = await fromElsewhere(host, "/api/preferences", {
    method: "PATCH",
    token,
    body: key,
  });
  expect(body.error.code).to.equal("remote_not_allowed");
  expect(host.services.preferences.get("server.allowed_origins")).to.deep.equal([]);
}
