import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import type { Caller, DoorRequest, Route } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import { anyoneAt } from "../../../core/http/callers.ts";
import { hasIPv6 } from "../../support/has-ipv6.ts";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes, type DoorSettings } from "./open-door.ts";

const whoAmI: Route = {
  method: "GET",
  path: "/me",
  scope: "read",
  summary: "",
  handle: ({ caller }) => ({ body: caller }),
};
const health: Route = {
  method: "GET",
  path: "/pulse",
  scope: "open",
  summary: "",
  handle: ({ caller }) => ({ body: caller }),
};
const send: Route = {
  method: "POST",
  path: "/send",
  scope: "read",
  summary: "",
  handle: ({ caller }) => ({ body: caller }),
};
const routes = [whoAmI, health, send];

type Headers = Readonly<Record<string, string>>;

interface Asked extends DoorSettings {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Headers | ((port: number) => Headers);
}

async function ask({ method = "GET", path = "/me", headers = {}, ...settings }: Asked) {
  const { port } = await openDoor(routes, settings);
  const sent = {
    Host: `127.0.0.1:${port}`,
    Connection: "close",
    ...(typeof headers === "function" ? headers(port) : headers),
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  const { status, head, body } = readAnswer(
    await sendBytes(port, `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
  );
  const header = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
  return { status, body, header, code: status >= 400 ? errorIn(body).code : undefined };
}

const preferences = (given: object) => ({ preferences: given as Readonly<Record<string, unknown>> });
const good: Caller = { ...endpointRequest().caller, kind: "token", remote: true, id: "token-1" };
const authenticate = async ({ headers }: DoorRequest) =>
  headers["authorization"] === "Bearer right" ? good : undefined;

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
        "X-Conversation-Id, X-Run-Id, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, " +
          "RateLimit-Reset, Mcp-Session-Id",
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

describe("the door: tokens", () => {
  afterEach(closeDoors);

  it("asks callers on this computer for none, and ignores the one they send", async () => {
    for (const headers of [{}, { Authorization: "Bearer wrong" }] as Headers[]) {
      expect(await ask({ headers, authenticate: () => Promise.reject(new Error("asked")) })).to.include({
        status: 200,
        body: JSON.stringify(endpointRequest().caller),
      });
    }
  });

  it("asks them too when auth.loopback is token; the Host is free then", async () => {
    const asked = { ...preferences({ "auth.loopback": "token" }), authenticate };
    const refused = await ask(asked);
    expect(refused).to.include({ status: 401, code: "invalid_api_key" });
    expect(refused.header("WWW-Authenticate")).to.equal("Bearer");
    expect(
      await ask({ ...asked, headers: { Host: "any.example", Authorization: "Bearer right" } }),
    ).to.include({
      status: 200,
      body: JSON.stringify(good),
    });
  });

  it("S5: under same-user the owner is one by account; a valid token counts, any other is ignored", async function () {
    if (process.platform !== "linux") this.skip();
    const asked = { ...preferences({ "auth.loopback": "same-user" }), authenticate };
    const own = JSON.stringify(endpointRequest().caller);
    expect(await ask(asked)).to.include({ status: 200, body: own });
    const tokens = { right: JSON.stringify(good), wrong: own };
    for (const [token, body] of Object.entries(tokens))
      expect(await ask({ ...asked, headers: { Authorization: `Bearer ${token}` } })).to.include({
        status: 200,
        body,
      });
    expect((await ask({ ...asked, headers: { Host: "evil.example" } })).code).to.equal("forbidden_host");
  });

  for (const name of ["X-Forwarded-For", "Forwarded"]) {
    it(`A20: a proxy on this computer that sends ${name} counts as remote`, async () => {
      expect(await ask({ headers: { [name]: "for=203.0.113.9" }, authenticate })).to.include({
        status: 401,
        code: "invalid_api_key",
      });
    });
  }

  it("A20: no number of other headers hides what a proxy adds", async () => {
    const { port } = await openDoor(routes);
    const many = "a:b\r\n".repeat(2500);
    const answer = await sendBytes(
      port,
      `GET /me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${many}X-Forwarded-For: 203.0.113.9\r\n\r\n`,
    );
    expect(readAnswer(answer).status).to.equal(401);
  });

  it("what a proxy of server.trusted_proxies passes on is remote too, at the address that it names", async () => {
    for (const proxy of ["127.0.0.1", "::ffff:127.0.0.1", "127.0.0.0/8"]) {
      const asked = {
        ...preferences({ "server.trusted_proxies": [proxy] }),
        headers: { "X-Forwarded-For": "203.0.113.9" },
      };
      expect(await ask(asked)).to.include({ status: 401, code: "invalid_api_key" });
      const open = await ask({ ...asked, path: "/pulse" });
      expect(open).to.include({ status: 200, body: JSON.stringify(anyoneAt("203.0.113.9", true)) });
    }
    const other = await ask({
      ...preferences({ "server.trusted_proxies": ["10.0.0.1"] }),
      headers: { "X-Forwarded-For": "203.0.113.9" },
      path: "/pulse",
    });
    expect(other.body).to.equal(JSON.stringify(anyoneAt("127.0.0.1", true)));
  });

  it("X46: a proxy of server.trusted_proxies does too, however its address is written", async () => {
    for (const proxy of ["127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1"]) {
      const answer = await ask({
        ...preferences({ "server.trusted_proxies": [proxy], "server.allowed_hosts": ["pub.example"] }),
        headers: { Host: "pub.example", "X-Forwarded-For": "203.0.113.9" },
      });
      expect(answer).to.include({ status: 401, code: "invalid_api_key" });
    }
  });

  it("asks remote callers on every path, so that they learn nothing of routes; open routes are open to all", async () => {
    const headers = { "X-Forwarded-For": "203.0.113.9" };
    for (const path of ["/me", "/nothing", "/pulse/x", "/Pulse"])
      expect((await ask({ path, headers })).code).to.equal("invalid_api_key");
    for (const path of ["/pulse", "/pulse/", "/pulse?x=1"]) {
      expect(await ask({ path, headers })).to.include({
        status: 200,
        body: JSON.stringify(anyoneAt("127.0.0.1", true)),
      });
    }
    expect(
      (await ask({ path: "/pulse", method: "HEAD", headers: { ...headers, Host: "any.example" } })).status,
    ).to.equal(200);
    expect((await ask({ path: "/pulse", method: "POST", headers })).status).to.equal(401);
  });

  it("a token caller's Host is free, but the Origin must be allowed", async () => {
    const headers = { Host: "any.example", "X-Forwarded-For": "203.0.113.9", Authorization: "Bearer right" };
    expect(await ask({ headers, authenticate })).to.include({ status: 200, body: JSON.stringify(good) });
    expect(await ask({ headers: { ...headers, Origin: "https://evil.example" }, authenticate })).to.include({
      status: 403,
      code: "forbidden_origin",
    });
  });

  it("CVE-2026-45339: hands the hook method, path, headers and the canonical address, and takes no other way in", async () => {
    const seen: DoorRequest[] = [];
    const note = async (request: DoorRequest): Promise<undefined> => void seen.push(request);
    const headers = { "X-Forwarded-For": "203.0.113.9", "X-Api-Key": "right", Cookie: "token=right" };
    expect((await ask({ headers, authenticate: note, path: "/me?token=right" })).status).to.equal(401);
    expect(seen[0]).to.include({ method: "GET", path: "/me", address: "127.0.0.1" });
    expect(seen[0]?.headers).to.include({ "x-api-key": "right" });
  });

  it("GHSA-5847-rm3g-23mw: an IPv4 peer has one address, whichever socket it came by", async () => {
    const { port } = await openDoor(routes, { host: "::ffff:127.0.0.1" });
    const answer = await sendBytes(port, `GET /me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(readAnswer(answer).body).to.equal(JSON.stringify(endpointRequest().caller));
  });
});

describe("the door: programs that the service has started (S3)", () => {
  afterEach(closeDoors);
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  /** Answers with the status that a child process gets, or none. */
  const statusFor = async (url: string, detached: boolean): Promise<string> => {
    const code = `
      const answer = await fetch(${JSON.stringify(url)}, { headers: { authorization: "Bearer right" } });
      process.stdout.write(String(answer.status) + " " + (await answer.text()));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], { detached });
    const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
    return output;
  };

  for (const detached of [false, true])
    it(`S3: refuses a child, with a token too (${detached ? "in its own group" : "plain"})`, async () => {
      const { url } = await openDoor(routes, { authenticate });
      const answer = await statusFor(`${url}/me`, detached);
      expect(answer).to.match(/^403 .*Programs that this service has started may not use it/);
    });

  it("S3: refuses the child of a child, which is not the person either", async () => {
    const { url } = await openDoor(routes);
    const child = spawn("sh", [
      "-c",
      `${process.execPath} -e "$1"; true`,
      "sh",
      `
      fetch(${JSON.stringify(`${url}/me`)}).then(({ status }) => process.stdout.write(String(status)));`,
    ]);
    expect(await text(child.stdout)).to.equal("403");
  });

  it("S3, S22: refuses a child on ::1 that takes the port number of somebody else on 127.0.0.1", async function () {
    if (!hasIPv6()) this.skip();
    const { port } = await openDoor(routes);
    const friend = net.connect(port, "127.0.0.1");
    await once(friend, "connect");
    const code = `
      const options = { host: "::1", port: ${port}, localAddress: "::1", localPort: ${friend.localPort} };
      const socket = require("node:net").connect(options);
      socket.write("GET /me HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n");
      socket.pipe(process.stdout);`;
    const child = spawn(process.execPath, ["-e", code]);
    const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(readAnswer(output).status).to.equal(403);
    friend.write("GET /me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(readAnswer(await text(friend)).status).to.equal(200);
  });

  it("S3: lets others in while there are children", async () => {
    const child = spawn("sleep", ["60"]);
    expect(await ask({})).to.include({ status: 200 });
    child.kill();
    await once(child, "exit");
  });
});
