import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import type { Caller, DoorRequest } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import { anyoneAt } from "../../../core/http/callers.ts";
import { hasIPv6 } from "../../support/has-ipv6.ts";
import { closeDoors, openDoor, readAnswer, sendBytes } from "./open-door.ts";
import { routes, type Headers, ask, preferences } from "./asked.ts";

const good: Caller = { ...endpointRequest().caller, kind: "token", remote: true, id: "token-1" };
const authenticate = async ({ headers }: DoorRequest) =>
  headers["authorization"] === "Bearer right" ? good : undefined;

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
