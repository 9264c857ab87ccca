import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import type { Caller, DoorRequest, Route } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import { closeDoors, openDoor, readAnswer, sendBytes } from "./open-door.ts";

const good: Caller = { ...endpointRequest().caller, kind: "token", id: "token-1" };
const authenticate = async ({ headers }: DoorRequest) =>
  headers["authorization"] === "Bearer right" ? good : undefined;

const route = (path: string, more: Partial<Route> = {}): Route => ({
  method: "GET",
  path,
  scope: "open",
  anonymous: true,
  summary: "",
  handle: async ({ caller }) => ({ body: { kind: caller.kind } }),
  ...more,
});
const routes = [
  route("/all"),
  route("/some", { anonymous: false }),
  route("/read", { scope: "read" }),
  route("/change", { method: "POST" }),
];
const settings = { authenticate, preferences: { "auth.loopback": "same-user" } };

describe("the door: routes that are the same for everybody", () => {
  afterEach(closeDoors);
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  const statusOf = async (port: number, line: string, ...headers: readonly string[]) => {
    const lines = [`${line} HTTP/1.1`, `Host: localhost:${port}`, "Connection: close", ...headers];
    const { status, body } = readAnswer(await sendBytes(port, `${lines.join("\r\n")}\r\n\r\n`));
    return `${status} ${body}`;
  };

  it("do not find out who asks, unless a credential says it", async () => {
    const { port } = await openDoor(routes, settings);
    expect(await statusOf(port, "GET /all")).to.equal('200 {"kind":"anyone"}');
    expect(await statusOf(port, "GET /all", "Authorization: Bearer right")).to.equal('200 {"kind":"token"}');
    expect(await statusOf(port, "GET /some")).to.equal('200 {"kind":"owner"}');
  });

  it("refuse the names and the sites that others refuse", async () => {
    const { port } = await openDoor(routes, settings);
    expect(await statusOf(port, "GET /all", "Sec-Fetch-Site: cross-site")).to.match(/^403 /);
    const answer = await sendBytes(
      port,
      "GET /all HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    expect(readAnswer(answer).status).to.equal(403);
  });

  it("are only open ones that are read: no other route lets somebody in by it", async () => {
    const { port } = await openDoor(routes, settings);
    expect(await statusOf(port, "GET /read")).to.equal('200 {"kind":"owner"}');
    const body = ["Content-Type: application/json", "Content-Length: 0"];
    expect(await statusOf(port, "POST /change", ...body)).to.match(/"owner"/);
  });

  it("S3: answer a program that the service has started, which is refused all others", async () => {
    const { url } = await openDoor(routes, settings);
    const code = `
      const ask = async (path, method, headers = {}) =>
        (await fetch(${JSON.stringify(url)} + path, { method, headers })).status;
      const token = { authorization: "Bearer right" };
      process.stdout.write(String([
        await ask("/all", "GET"), await ask("/all", "GET", token), await ask("/some", "GET"),
        await ask("/read", "GET"), await ask("/change", "POST"),
      ]));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
    const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(output).to.equal("200,403,403,403,403");
  });
});
