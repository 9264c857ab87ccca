import { once } from "node:events";
import net from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import type { Route } from "@pergola/sdk";
import { defaultLimits } from "../../../core/http/options.ts";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes } from "./open-door.ts";

let handled: string[] = [];
const get: Route = {
  method: "GET",
  path: "/a",
  scope: "read",
  summary: "",
  handle: ({ query }) => (handled.push("GET"), { body: query }),
};
const post: Route = {
  method: "POST",
  path: "/a",
  scope: "read",
  summary: "",
  handle: ({ rawBody }) => (handled.push("POST"), { body: rawBody }),
};
const host = "Host: localhost\r\n";
const json = "Content-Type: application/json\r\n";
const close = "Connection: close\r\n\r\n";

describe("bytes that are no proper request", () => {
  let port: number;
  let logged: readonly unknown[];

  beforeEach(async () => {
    handled = [];
    ({ port, logged } = await openDoor([get, post]));
  });
  afterEach(async () => {
    expect((await fetch(`http://127.0.0.1:${port}/a`)).status).to.equal(200);
    expect(logged).to.deep.equal([]);
    await closeDoors();
  });

  const refused: readonly [name: string, bytes: string, status?: number][] = [
    ["two Hosts", `GET /a HTTP/1.1\r\n${host}Host: evil.example\r\n${close}`],
    ["two equal Hosts", `GET /a HTTP/1.1\r\n${host}${host}${close}`],
    ["two Hosts in other letters", `GET /a HTTP/1.1\r\n${host}hOST: localhost\r\n${close}`],
    ["no Host", `GET /a HTTP/1.1\r\n${close}`],
    ["no Host in HTTP/1.0", `GET /a HTTP/1.0\r\n\r\n`],
    ["an absolute target", `GET http://evil.example/a HTTP/1.1\r\n${host}${close}`],
    ["an absolute target of ours", `GET http://localhost/a HTTP/1.1\r\n${host}${close}`],
    ["the target *", `OPTIONS * HTTP/1.1\r\n${host}${close}`],
    [
      "length and chunks",
      `POST /a HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\n${host}\r\n`,
    ],
    ["two lengths", `POST /a HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
    ["a negative length", `POST /a HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n{}`],
    ["a length that is no number", `POST /a HTTP/1.1\r\n${host}Content-Length: 2x\r\n\r\n{}`],
    [
      "an unknown coding",
      `POST /a HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ["a bad chunk", `POST /a HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ["a space before the colon", `GET /a HTTP/1.1\r\n${host}X-A : 1\r\n${close}`],
    ["a folded header", `GET /a HTTP/1.1\r\n${host}X-A: 1\r\n folded: 2\r\n${close}`],
    ["NUL in a header", `GET /a HTTP/1.1\r\n${host}X-A: a\0b\r\n${close}`],
    ["NUL in the target", `GET /a\0b HTTP/1.1\r\n${host}${close}`],
    ["a line feed alone", `GET /a HTTP/1.1\n${host.replace("\r", "")}\n`],
    ["a header without end", `GET /a HTTP/1.1\r\n${host}X-A: ${"x".repeat(65_536)}\r\n${close}`, 431],
    [
      "a thousand headers",
      `GET /a HTTP/1.1\r\n${host}${"X-A: 0123456789ABCDEF\r\n".repeat(1000)}${close}`,
      431,
    ],
    ["an unknown method", `BREW /a HTTP/1.1\r\n${host}${close}`],
    ["HTTP/0.9", "GET /a\r\n\r\n"],
    ["another version", `GET /a HTTP/3.7\r\n${host}${close}`],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n"],
  ];
  for (const [name, bytes, status = 400] of refused) {
    it(`B1: refuses ${name} with ${status} and an error in JSON`, async () => {
      const answer = readAnswer(await sendBytes(port, bytes));
      expect(answer.status).to.equal(status);
      expect(answer.head).to.match(/^content-type: application\/json/im);
      expect(errorIn(answer.body)).to.include({ code: "invalid_value", type: "invalid_request_error" });
      expect(handled).to.deep.equal([]);
    });
  }

  it("B1: closes on CONNECT without a word", async () => {
    expect(await sendBytes(port, `CONNECT localhost:22 HTTP/1.1\r\n${host}\r\n`)).to.equal("");
  });

  it("B1: answers a request that wants to be another protocol as HTTP", async () => {
    const answer = await sendBytes(
      port,
      `GET /a HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`,
    );
    expect(readAnswer(answer).status).to.equal(200);
  });

  it("B1: answers pipelined requests in order", async () => {
    const answer = await sendBytes(
      port,
      `GET /a?n=1 HTTP/1.1\r\n${host}\r\nGET /a?n=2 HTTP/1.1\r\n${host}${close}`,
    );
    expect(answer.match(/\{"n":"\d"\}/g)).to.deep.equal(['{"n":"1"}', '{"n":"2"}']);
  });

  it("B1: survives a client that goes in the middle of its body", async () => {
    await new Promise<void>((resolve) => {
      const socket = net.connect(port, "127.0.0.1", () =>
        socket.write(`POST /a HTTP/1.1\r\n${host}${json}Content-Length: 100\r\n\r\n{`, () =>
          socket.destroy(),
        ),
      );
      socket.on("close", () => resolve());
    });
    expect((await fetch(`http://127.0.0.1:${port}/a`, { method: "POST" })).status).to.equal(200);
    expect(handled).to.deep.equal(["POST"]);
  });

  it("reads a path of two slashes as a path, not as a host", async () => {
    expect(
      readAnswer(await sendBytes(port, `GET //evil.example/a HTTP/1.1\r\n${host}${close}`)).status,
    ).to.equal(404);
  });
});

describe("slow clients", () => {
  afterEach(closeDoors);

  it("are answered 408 when their headers do not come in time, while others are served", async () => {
    const { port, url } = await openDoor([get], { limits: { headersTimeout: 150 } });
    const slow = sendBytes(port, "GET /a HTTP/1.1\r\nHost: loc");
    expect((await fetch(`${url}/a`)).status).to.equal(200);
    const answer = readAnswer(await slow);
    expect(answer.status).to.equal(408);
    expect(errorIn(answer.body).type).to.equal("invalid_request_error");
  });

  it("are cut off when their body does not come in time", async () => {
    const { port } = await openDoor([post], { limits: { headersTimeout: 100, requestTimeout: 200 } });
    const start = performance.now();
    const answer = await sendBytes(port, `POST /a HTTP/1.1\r\n${host}${json}Content-Length: 100\r\n\r\n{`);
    expect(readAnswer(answer).status).to.equal(408);
    expect(performance.now() - start).to.be.within(150, 3000);
  });

  it("may wait with their next request for longer than with its headers", async () => {
    const { port } = await openDoor([get], { limits: { headersTimeout: 100, requestTimeout: 200 } });
    const socket = net.connect(port, "127.0.0.1");
    for (const wait of [0, 600]) {
      await setTimeout(wait);
      socket.write(`GET /a HTTP/1.1\r\n${host}\r\n`);
      const [bytes] = (await once(socket, "data")) as [Buffer];
      expect(readAnswer(bytes.toString()).status).to.equal(200);
    }
    socket.destroy();
  });

  it("have 10 seconds for headers, 60 for a body and 75 for the next request; connections are limited", async () => {
    const { http } = await openDoor([get]);
    const times = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 75_000, timeout: 0 };
    expect(http.server).to.include(times);
    expect(defaultLimits.maxConnections).to.be.within(1, 4000);
  });
});
