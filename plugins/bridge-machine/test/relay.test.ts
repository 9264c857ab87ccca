import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { relay } from "../relay.ts";

const never = new AbortController().signal;

describe("a request that is handed on", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const open = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const send = (url: string, more: Partial<Parameters<typeof relay>[0]> = {}) =>
    relay({ url, method: "POST", headers: {}, body: null, signal: never, ...more });
  async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
    const all: Uint8Array[] = [];
    for await (const piece of body) all.push(piece);
    return Buffer.concat(all).toString();
  }
  const refusal = async (sent: Promise<unknown>): Promise<AppError> =>
    sent.then(
      () => expect.fail("it was answered"),
      (error: unknown) => error as AppError,
    );

  async function* pieces(count: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < count; at += 1) yield new Uint8Array(65_536);
  }

  it("arrives as it is, and its answer comes back, errors and redirects too", async () => {
    const url = await open((request, response) => {
      response.writeHead(307, { location: "/elsewhere", "x-got": request.headers["x-sent"] });
      request.pipe(response);
    });
    const answer = await send(`${url}/a?b=c`, { headers: { "x-sent": "yes" }, body: "Hello." });
    expect([answer.status, answer.headers["x-got"], await textOf(answer.body)]).to.deep.equal([
      307,
      "yes",
      "Hello.",
    ]);
  });

  it("may be answered before all of it has come", async () => {
    const url = await open((request, response) => {
      request.once("data", () => {
        request.resume();
        response.writeHead(413).end("Too large.");
      });
    });
    const answer = await send(url, { method: "PUT", body: pieces(200) });
    expect([answer.status, await textOf(answer.body)]).to.deep.equal([413, "Too large."]);
  });

  it("goes in clear text to no public address, and says that nothing was done", async () => {
    const { code, message } = await refusal(send("http://8.8.8.8/"));
    expect(code).to.equal("host_unavailable");
    expect(message).to.include("Nothing was done");
  });

  it("may have been done where the host goes away before it answers", async () => {
    const url = await open((request) => request.socket.destroy());
    const { code, message } = await refusal(send(url, { body: "Hello." }));
    expect(code).to.equal("host_unavailable");
    expect(message).to.include("may have been done");
  });

  it("ends with its client, before the answer and within it", async () => {
    let closed = (): void => undefined;
    const url = await open((request, response) => {
      response.on("close", () => closed());
      if (request.url === "/begun") response.write("Well");
    });
    const left = new Error("The client has left.");
    for (const path of ["/silent", "/begun"]) {
      const ended = new Promise<void>((resolve) => (closed = resolve));
      const leaving = new AbortController();
      const answer = send(url + path, { signal: leaving.signal });
      const failed = refusal(
        answer.then(async ({ body }) => {
          for await (const _ of body) leaving.abort(left);
        }),
      );
      if (path === "/silent") setImmediate(() => leaving.abort(left));
      expect(await failed, path).to.equal(left);
      if (path === "/begun") await ended;
    }
  });

  it("is refused by whoever sends its body", async () => {
    const url = await open((request, response) => request.on("end", () => response.end()).resume());
    const fault = new AppError({ code: "invalid_value", message: "The body ended early." });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(5);
      throw fault;
    }
    expect(await refusal(send(url, { method: "PUT", body: broken() }))).to.equal(fault);
  });
});
