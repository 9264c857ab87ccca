import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Anthropic } from "@anthropic-ai/sdk";
import { expect } from "chai";
import { Ollama } from "ollama";
import { OpenAI } from "openai";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { rawRequest } from "../support/raw-request.ts";
import { recordingLog } from "../support/recording-log.ts";
import { verifies } from "../support/verifies.ts";

interface ErrorBody {
  readonly error: { readonly message: string; readonly code: string; readonly param?: string };
}

/** Routes that a plugin for people's browsers brings: a page, its files, and one that is open but no page. */
const pagesCode = `
const answer = ({ params }) => ({ text: "<p>" + JSON.stringify(params) + "</p>", contentType: "text/html" });
const route = (path, more) => ({ method: "GET", path, summary: "A page", handle: answer, ...more });
export default {
  endpoints: [{
    group: "pages",
    routes: [
      route("/guide", { scope: "open", page: true }),
      route("/guide/{file…}", { scope: "open", page: true }),
      route("/guide-file/{name}", { scope: "open" }),
      route("/closed-page", { scope: "read", page: true }),
    ],
  }],
};`;
const provided = ["/guide", "/guide/{file…}", "/guide-file/{name}", "/closed-page"];

/** What browsers send with a click on a link. */
const link = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nSec-Fetch-User: ?1\r\n";

describe("the door, seen from web pages", () => {
  const log = recordingLog();
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-pages-"));
  let stage: Stage;

  before(async () => {
    const endpoints = provided.map((one) => `GET ${one}`);
    const pages = writePlugin(folder, {
      id: "endpoint-pages",
      kind: "endpoint",
      provides: { endpoints },
      code: pagesCode,
    });
    stage = await openStage(undefined, {
      plugins: [...officialPlugins(), { use: pages, isolation: "trusted" }],
      settings: { "rate_limit.failed_auth_per_minute": 1000 },
      log,
    });
  });
  after(async () => {
    await stage.end();
    rmSync(folder, { recursive: true });
  });

  const raw = async (request: string, headers: string) => {
    const text = `${request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
    return (await rawRequest(stage.host.url, text)).status;
  };
  const allow = (origins: readonly string[]) =>
    stage.host.json<ErrorBody>("PATCH", "/api/preferences", { "server.allowed_origins": origins });
  const statusFor = async (origin: string) =>
    (await stage.host.request("GET", "/api/runs", undefined, { origin })).status;

  verifies("door:sec-fetch-site", "S21: only the service's own pages and no page at all pass", async () => {
    const sites = ["none", "same-origin", "same-site", "cross-site", "Same-Origin", "other", ""];
    const statuses = await Promise.all(
      sites.map((site) => raw("GET /api/runs", `Sec-Fetch-Site: ${site}\r\n`)),
    );
    expect(statuses).to.deep.equal([200, 200, 403, 403, 403, 403, 403]);
  });

  verifies(
    "door:navigation",
    "C29: a link from another site opens an open page, and nothing else",
    async () => {
      for (const site of ["cross-site", "same-site"]) {
        const from = `Sec-Fetch-Site: ${site}\r\n`;
        for (const page of ["/guide", "/guide/start/here.html"])
          expect([page, await raw(`GET ${page}`, from + link)]).to.deep.equal([page, 200]);
        for (const other of ["/guide-file/a", "/closed-page", "/health", "/api/runs", "/nothing"])
          expect([other, await raw(`GET ${other}`, from + link)]).to.deep.equal([other, 403]);
        for (const not of ["Sec-Fetch-Dest: iframe", "Sec-Fetch-Mode: no-cors"]) {
          const [name = ""] = not.split(":");
          const headers = link.replace(new RegExp(`${name}: .*`), not);
          expect([not, await raw("GET /guide", from + headers)]).to.deep.equal([not, 403]);
        }
        expect(await raw("GET /guide", from)).to.equal(403);
        expect(await raw("POST /guide", from + link)).to.equal(403);
      }
    },
  );

  verifies("door:navigation", "C29: a link cannot be followed under a foreign Host or Origin", async () => {
    const from = `Sec-Fetch-Site: cross-site\r\n${link}`;
    expect(await raw("GET /guide", `${from}Origin: https://evil.example\r\n`)).to.equal(403);
    const { status } = await rawRequest(
      stage.host.url,
      `GET /guide HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n${from}\r\n`,
    );
    expect(status).to.equal(403);
  });

  verifies("door:open-routes", "C30: routes with path parameters are open too", async () => {
    const remote = "X-Forwarded-For: 203.0.113.9\r\n";
    const open = ["/guide", "/guide/", "/guide/a/b.css", "/guide/%61", "/guide-file/a", "/guide-file/a?x=1"];
    for (const one of open) {
      expect([one, await raw(`GET ${one}`, remote)]).to.deep.equal([one, 200]);
      expect([one, await raw(`HEAD ${one}`, remote)]).to.deep.equal([one, 200]);
      expect([one, await raw(`POST ${one}`, remote)]).to.deep.equal([one, 401]);
    }
    const others = [
      "/Guide/a",
      "/guide-file/a/b",
      "/guide-file",
      "/guide-file/%zz",
      "/closed-page",
      "/nothing",
    ];
    for (const one of others) expect([one, await raw(`GET ${one}`, remote)]).to.deep.equal([one, 401]);
  });

  verifies(
    "door:origin-logged",
    "C28: a refused origin is one line of the log that says what to do",
    async () => {
      const linesOf = (text: string) => log.lines.filter(({ message }) => message.includes(text));
      for (let round = 0; round < 3; round++) await statusFor("https://first.example");
      await statusFor("https://second.example");
      for (const name of ["first", "second"]) {
        const lines = linesOf(`https://${name}.example`);
        expect(lines).to.have.lengthOf(1);
        expect(lines[0]?.level).to.equal("warn");
        expect(lines[0]?.message).to.include("server.allowed_origins");
        expect(lines[0]?.fields).to.deep.equal({ origin: `https://${name}.example` });
      }
      await raw("GET /api/runs", "Sec-Fetch-Site: cross-site\r\n");
      expect(linesOf("Pages of other sites")).to.have.lengthOf(1);
    },
  );

  verifies("door:origin-form", "C27: origins count in any spelling", async () => {
    const { status } = await allow([
      "http://localhost:3000/",
      "HTTPS://Page.Example",
      "https://other.example:443",
      "http://[::1]:5173",
      "app://Obsidian.md",
      "https://bücher.example",
    ]);
    expect(status).to.equal(200);
    const origins = [
      "http://localhost:3000",
      "https://page.example",
      "https://other.example",
      "http://[::1]:5173",
      "app://obsidian.md",
      "https://xn--bcher-kva.example",
    ];
    for (const origin of origins) expect([origin, await statusFor(origin)]).to.deep.equal([origin, 200]);
    const { body } = await stage.host.json<{ preferences: Readonly<Record<string, { value: unknown }>> }>(
      "GET",
      "/api/preferences",
    );
    expect(JSON.stringify(body)).to.include(JSON.stringify(origins));
    expect(await statusFor("http://localhost:3001")).to.equal(403);
  });

  verifies("door:origin-form", "C27: what is no origin is 400, with the right form", async () => {
    const wrong = [
      "localhost:3000",
      "*",
      "https://*.example",
      "null",
      "",
      "http://localhost:3000/app",
      "http://me@page.example",
      "http://page.example:99999",
      "file:///",
    ];
    for (const one of wrong) {
      const { status, body } = await allow([one]);
      expect([one, status, body.error.code]).to.deep.equal([one, 400, "invalid_value"]);
      expect(body.error.message).to.match(/^server\.allowed_origins\[0\] must be .*http:\/\/localhost:3000/);
    }
  });

  describe("of an allowed origin", () => {
    const origin = "https://page.example";
    before(async () => void (await allow([origin])));

    const preflight = (headers: readonly string[]) =>
      fetch(`${stage.host.url}/v1/messages`, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": headers.join(", "),
        },
      });
    const allowedIn = (answer: Response): readonly string[] =>
      (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(", ");

    /** The headers that a client library sends, which a browser asks for first. */
    const headersOf = async (call: (fetch: typeof globalThis.fetch) => Promise<unknown>) => {
      let names: readonly string[] = [];
      await call(async (_url, init) => {
        names = [...new Headers(init?.headers).keys()];
        return new Response("{}", { headers: { "content-type": "application/json" } });
      });
      return names;
    };
    const client = (fetch: typeof globalThis.fetch) => ({
      apiKey: "unused",
      baseURL: stage.host.url,
      dangerouslyAllowBrowser: true,
      fetch,
    });
    const calls: Readonly<Record<string, (fetch: typeof globalThis.fetch) => Promise<unknown>>> = {
      OpenAI: (fetch) =>
        new OpenAI({ ...client(fetch), organization: "o", project: "p" }).chat.completions.create({
          model: "default",
          messages: [{ role: "user", content: "Hi" }],
        }),
      Anthropic: (fetch) =>
        new Anthropic(client(fetch)).beta.messages.create({
          model: "default",
          max_tokens: 9,
          betas: ["files-api-2025-04-14"],
          messages: [{ role: "user", content: "Hi" }],
        }),
    };

    for (const [name, call] of Object.entries(calls))
      verifies("http:client-headers", `C26: may send what the ${name} client sends`, async () => {
        const names = await headersOf(call);
        expect(names.length).to.be.above(8);
        const answer = await preflight(names);
        expect(answer.status).to.equal(204);
        expect(allowedIn(answer)).to.include.members([...names]);
      });

    verifies("http:client-headers", "C26: may send what apps, tracers and Ollama's client add", async () => {
      const ollama = await headersOf((fetch) => new Ollama({ host: stage.host.url, fetch }).list());
      expect(ollama).to.include("user-agent");
      const others = ["x-speakeasy-user-agent", "http-referer", "x-title"];
      const traced = ["traceparent", "tracestate", "baggage", "sentry-trace"];
      const names = [...ollama, ...others, ...traced];
      expect(allowedIn(await preflight(names))).to.include.members(names);
    });

    verifies(
      "http:client-headers",
      "C26: may send those of MCP and the page's own, and no others",
      async () => {
        const known = ["x-api-key", "x-csrf-token", "traceparent", "mcp-session-id", "mcp-protocol-version"];
        const answer = await preflight([...known, "x-other", "mcp-a b", "cookie", "xmcp-a"]);
        expect(allowedIn(answer)).to.include.members(known);
        expect(allowedIn(answer)).to.not.include.oneOf(["x-other", "mcp-a b", "cookie", "xmcp-a"]);
        expect(answer.headers.get("vary")).to.equal("Origin, Access-Control-Request-Headers");
      },
    );

    verifies("http:client-headers", "C26: may read the session id of MCP, and the rate limits", async () => {
      const answer = await stage.host.request("GET", "/api/models", undefined, { origin });
      const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
      const names = ["Mcp-Session-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
      expect(exposed).to.include.members(names);
    });

    verifies("http:client-headers", "C26: may read the request ids that the clients look for", async () => {
      const answer = await stage.host.request(
        "POST",
        "/v1/messages",
        {},
        { origin, "anthropic-version": "1" },
      );
      const exposed = answer.headers.get("access-control-expose-headers")?.toLowerCase().split(", ");
      const sent = [...answer.headers.keys()].filter((name) => name.endsWith("request-id"));
      expect(sent).to.have.members(["request-id", "x-request-id"]);
      expect(exposed).to.include.members(sent);
    });
  });
});
