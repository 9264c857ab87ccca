import { expect } from "chai";
import { closeDoors, openDoor, readAnswer, sendBytes } from "./open-door.ts";
import { routes, type Asked, ask, preferences } from "./asked.ts";

describe("the door: Host", () => {
  afterEach(closeDoors);

  for (const host of ["localhost", "127.0.0.1", "[::1]", "LOCALHOST:1234", "127.0.0.1:9", "[::1]:8080"]) {
    it(`CVE-2026-42559: lets ${host} in`, async () => {
      expect(await ask({ headers: { Host: host } })).to.include({ status: 200 });
    });
  }

  for (const host of [
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.2",
    "0.0.0.0",
    "localhost.",
    "",
    "user@localhost",
    "localhost:80x",
    "::1",
  ]) {
    it(`CVE-2024-28224, CVE-2025-66414: keeps out Host ${JSON.stringify(host)}`, async () => {
      expect(await ask({ headers: { Host: host } })).to.include({ status: 403, code: "forbidden_host" });
    });
  }

  it("lets in the hosts of server.allowed_hosts, with and without port", async () => {
    const allowed = preferences({ "server.allowed_hosts": ["Box.lan", "other.lan:81"] });
    const status = async (host: string) => (await ask({ ...allowed, headers: { Host: host } })).status;
    expect([
      await status("box.lan"),
      await status("box.lan:8080"),
      await status("other.lan:81"),
    ]).to.deep.equal([200, 200, 200]);
    expect([await status("other.lan"), await status("xbox.lan")]).to.deep.equal([403, 403]);
  });

  it("checks it on paths that do not exist, on preflights and on open routes too", async () => {
    for (const asked of [
      { path: "/nothing" },
      { method: "OPTIONS" },
      { path: "/pulse" },
      { method: "DELETE" },
    ]) {
      expect((await ask({ ...asked, headers: { Host: "evil.example" } })).code).to.equal("forbidden_host");
    }
  });
});

describe("the door: Origin", () => {
  afterEach(closeDoors);
  const from = (origin: string, more: Asked = {}) => ask({ ...more, headers: { Origin: origin } });

  for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
    it(`lets in the service's own page on ${name} and echoes it, never *`, async () => {
      const answer = await ask({ headers: (port) => ({ Origin: `http://${name}:${port}` }) });
      expect(answer.status).to.equal(200);
      expect(answer.header("Access-Control-Allow-Origin")).to.match(
        new RegExp(`^http://${name.replace(/[[\]]/g, "\\$&")}:\\d+$`),
      );
      expect(answer.header("Access-Control-Allow-Credentials")).to.equal("true");
      expect(answer.header("Vary")).to.equal("Origin");
      expect(answer.header("Access-Control-Expose-Headers")).to.equal(
        "X-Conversation-Id, X-Run-Id, X-Request-Id, Request-Id, Retry-After, RateLimit-Limit, " +
          "RateLimit-Remaining, RateLimit-Reset, Mcp-Session-Id",
      );
    });
  }

  const strangers = [
    "https://evil.example",
    "null",
    "",
    "http://localhost",
    "http://localhost:9999",
    "https://localhost:8080",
    "http://localhost.evil.example:8080",
    "file://",
    "http://127.0.0.1:9999",
  ];
  for (const origin of strangers) {
    it(`A16, A17, CVE-2025-49596, CVE-2026-22812: keeps out ${JSON.stringify(origin)} without any CORS header`, async () => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await from(origin, { method });
        expect(answer).to.include({ status: 403, code: "forbidden_origin" });
        expect(answer.body).to.include("server.allowed_origins");
        expect(answer.header("Access-Control-[A-Za-z-]+")).to.equal(undefined);
      }
    });
  }

  it("keeps out two Origin lines", async () => {
    const { port } = await openDoor(routes);
    const own = `http://localhost:${port}`;
    const answer = await sendBytes(
      port,
      `GET /me HTTP/1.1\r\nHost: localhost\r\nOrigin: ${own}\r\nOrigin: ${own}\r\nConnection: close\r\n\r\n`,
    );
    expect(readAnswer(answer).status).to.equal(403);
  });

  it("lets in the origins of server.allowed_origins", async () => {
    const answer = await from(
      "https://page.example",
      preferences({ "server.allowed_origins": ["https://page.example"] }),
    );
    expect(answer.status).to.equal(200);
    expect(answer.header("Access-Control-Allow-Origin")).to.equal("https://page.example");
  });

  it("R15: a preflight is 204, needs no token and names all methods and headers", async () => {
    const settings = preferences({
      "auth.loopback": "token",
      "server.allowed_origins": ["https://page.example"],
    });
    const answer = await from("https://page.example", { ...settings, method: "OPTIONS", path: "/send" });
    expect(answer).to.include({ status: 204, body: "" });
    expect(answer.header("Access-Control-Allow-Methods")).to.equal("GET, POST, PUT, PATCH, DELETE, OPTIONS");
    const names =
      "Accept, Authorization, Content-Type, Last-Event-ID, X-Requested-With, X-Request-Id, X-Session-Id, " +
      "X-API-Key, X-CSRF-Token, traceparent";
    expect(answer.header("Access-Control-Allow-Headers")).to.equal(names);
    expect(answer.header("Access-Control-Max-Age")).to.equal("3600");
  });

  it("openclaw #16059: keeps out a cross-site request that hides its origin", async () => {
    expect(await ask({ headers: { "Sec-Fetch-Site": "cross-site" } })).to.include({
      status: 403,
      code: "forbidden_origin",
    });
  });

  for (const site of ["same-origin", "none"]) {
    it(`lets in Sec-Fetch-Site ${site}`, async () => {
      expect((await ask({ headers: { "Sec-Fetch-Site": site } })).status).to.equal(200);
    });
  }

  it("lets in a cross-site request of an allowed origin", async () => {
    const settings = preferences({ "server.allowed_origins": ["https://page.example"] });
    const headers = { Origin: "https://page.example", "Sec-Fetch-Site": "cross-site" };
    expect((await ask({ ...settings, headers })).status).to.equal(200);
  });
});
