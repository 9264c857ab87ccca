import { expect } from "chai";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { rawRequest } from "../support/raw-request.ts";
import { verifies } from "../support/verifies.ts";
import { type ErrorBody } from "./door-scene.ts";

const types = ["invalid_request_error", "authentication_error", "rate_limit_error", "server_error"];

/** What browsers come back to after a sign-in: a person reads its refusal. */
const signInPage = "/api/mcp/oauth/callback";

describe("the door", function () {
  this.timeout(60_000);
  let stage: Stage;
  let host: TestHost;
  /** Every route that is served, its placeholders filled in. */
  let routes: readonly { readonly method: string; readonly path: string; readonly group: string }[];

  before(async () => {
    stage = await openStage();
    host = stage.host;
    const known = host.services.system.routes();
    routes = known.flatMap(({ method, path, aliases = [], group }) =>
      [path, ...aliases].map((one) => ({ method, path: one.replaceAll(/\{\w+…?\}/g, "x"), group })),
    );
  });

  after(() => stage.end());

  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await host.request(
      method,
      path,
      method === "GET" || method === "DELETE" ? undefined : {},
      headers,
    );
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as ErrorBody };
  };

  verifies("door:host", "CVE-2024-28224: a foreign Host is refused on every route", async () => {
    for (const { method, path } of routes) {
      const { status, text } = await rawRequest(
        host.url,
        `${method} ${path} HTTP/1.1\r\nHost: evil.example:8080\r\nContent-Length: 0\r\n\r\n`,
      );
      expect([path, status, /"code":"forbidden_host"/.test(text)]).to.deep.equal([path, 403, true]);
    }
  });

  verifies(
    ["door:origin", "A16"],
    "CVE-2025-49596, CVE-2026-2611: a foreign or null Origin is refused on every route",
    async () => {
      for (const { method, path } of routes) {
        for (const origin of ["https://evil.example", "null", "http://localhost:9999"]) {
          const { status, headers, body } = await send(method, path, { origin });
          expect([path, status, body.error.code, headers.get("access-control-allow-origin")]).to.deep.equal([
            path,
            403,
            "forbidden_origin",
            null,
          ]);
        }
      }
    },
  );

  verifies("door:sec-fetch-site", "a request of another site that hides its Origin is refused", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const { status, body } = await send("POST", "/debug/mcp/execute", { "sec-fetch-site": site });
      expect([status, body.error.code]).to.deep.equal([403, "forbidden_origin"]);
      const link = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect((await send("GET", "/health", link)).status).to.equal(403);
    }
  });

  verifies(
    "door:two-hosts",
    "two Host lines and an absolute target are refused before any route",
    async () => {
      const two = await rawRequest(
        host.url,
        "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
      );
      const absolute = await rawRequest(
        host.url,
        "GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
      );
      expect([two.status, absolute.status]).to.deep.equal([400, 400]);
      expect(two.text + absolute.text).to.match(/"code":"invalid_value".*"code":"invalid_value"/s);
    },
  );

  verifies(["door:forwarded", "A20"], "a forwarded request on loopback counts as remote", async () => {
    const { status, headers, body } = await send("GET", "/api/models", { "x-forwarded-for": "203.0.113.9" });
    expect([status, body.error.code, headers.get("www-authenticate")]).to.deep.equal([
      401,
      "invalid_api_key",
      "Bearer",
    ]);
  });

  verifies(
    ["http:error-shape", "door:no-leaks", "R01"],
    "every route answers a failure in the one shape, without stack or path",
    async () => {
      for (const { method, path, group } of routes) {
        const answer = await host.request(
          method,
          path,
          method === "GET" || method === "DELETE" ? undefined : "{ not json",
        );
        if (answer.status < 400) continue;
        const text = await answer.text();
        if (path === signInPage) {
          expect(text)
            .to.match(/^<!doctype html>/)
            .and.not.match(/\.ts|node_modules|at .*:\d+:\d+/);
          continue;
        }
        const { error } = JSON.parse(text) as ErrorBody;
        if (group === "ollama" && path !== "/api/embeddings") {
          expect(JSON.parse(text), path).to.have.all.keys("error");
          expect(error, path).to.be.a("string").that.is.not.empty;
          expect(text).to.not.match(/\.ts|node_modules|at .*:\d+:\d+/);
          continue;
        }
        expect(
          Object.keys(error).filter((key) => !["message", "type", "code", "param", "details"].includes(key)),
        ).to.deep.equal([]);
        expect([types.includes(error.type), /\.ts|node_modules|at .*:\d+:\d+/.test(text)]).to.deep.equal([
          true,
          false,
        ]);
      }
    },
  );

  verifies(
    ["http:preflight", "R15"],
    "a preflight of an own page is 204 with all methods, without a token",
    async () => {
      const answer = await fetch(`${host.url}/api/models`, {
        method: "OPTIONS",
        headers: { origin: host.url, "access-control-request-method": "PATCH" },
      });
      expect([answer.status, answer.headers.get("access-control-allow-methods")]).to.deep.equal([
        204,
        "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      ]);
    },
  );

  verifies(["http:cors", "A17"], "an allowed origin is echoed with Vary; never a star", async () => {
    const answer = await host.request("GET", "/api/models", undefined, { origin: host.url });
    expect([answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")]).to.deep.equal([
      host.url,
      "Origin",
    ]);
    expect(answer.headers.get("access-control-expose-headers")).to.contain("X-Conversation-Id");
  });

  verifies(["http:health", "R14"], "health tells status and version", async () => {
    const { body } = await host.json<{
      readonly status: string;
      readonly version: string;
      readonly uptime_seconds: number;
    }>("GET", "/health");
    expect([body.status, body.version, body.uptime_seconds >= 0]).to.deep.equal(["ok", "0.1.0", true]);
  });

  verifies(["http:health-proof", "S13"], "health proves which service answers", async () => {
    const challenge = "x".repeat(43);
    const proofAt = async (query: string): Promise<unknown> =>
      (await host.json<{ readonly proof?: string }>("GET", `/health${query}`)).body.proof;
    const proof = await proofAt(`?challenge=${challenge}`);
    expect(proof).to.match(/^[\w-]{43}$/);
    expect(await proofAt(`?challenge=${"y".repeat(43)}`)).to.not.equal(proof);
    expect(await proofAt("")).to.equal(undefined);
    expect((await host.request("GET", "/health?challenge=short")).status).to.equal(400);
  });

  verifies(["http:openapi", "R13"], "the OpenAPI document lists every route and nothing else", async () => {
    const { body } = await host.json<{
      readonly openapi: string;
      readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
    }>("GET", "/openapi.json");
    const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = host.services.system
      .routes()
      .flatMap(({ method, path, aliases = [] }) =>
        [path, ...aliases].map((one) => `${method} ${one.replaceAll("…", "")}`),
      );
    expect(documented.filter((route) => !served.includes(route))).to.deep.equal([]);
    expect(served.filter((route) => !documented.includes(route))).to.deep.equal([]);
    expect(body.openapi).to.match(/^3\.1/);
  });
});

describe("a host with other settings", () => {
  verifies("http:groups", "a group that is switched off is not there", async () => {
    const stage = await openStage(undefined, { settings: { endpoints: { models: { enabled: false } } } });
    const { status, body } = await stage.host.json<ErrorBody>("GET", "/api/models");
    const other = await stage.host.request("GET", "/health");
    await stage.end();
    expect([status, body.error.code, other.status]).to.deep.equal([404, "route_not_found", 200]);
  });

  verifies(
    ["door:remote-bind", "A19"],
    "a remote bind without a way to prove who calls refuses to start",
    async () => {
      const refused = await startTestHost({
        plugins: officialPlugins().filter(({ use }) => !use.endsWith("policy-access")),
        settings: { storage: { type: "memory" }, server: { allow_remote: true } },
      }).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(Error).with.property("message").that.contains("server.allow_remote");
    },
  );
});
