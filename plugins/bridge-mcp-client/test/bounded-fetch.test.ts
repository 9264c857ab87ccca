import { getEventListeners, once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { boundedFetch } from "../bounded-fetch.ts";

describe("requests with the signal of a connection", () => {
  let server: Server;
  let connection: AbortController;
  beforeEach(() => (connection = new AbortController()));
  afterEach(() => server.close().closeAllConnections());

  async function listen(handler: RequestListener): Promise<string> {
    server = createServer(handler);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  const ask = (url: string): Promise<Response> => boundedFetch(url, { signal: connection.signal });
  const listeners = (): number => getEventListeners(connection.signal, "abort").length;

  for (const [type, text] of [
    ["application/json", '{"jsonrpc":"2.0"}'],
    ["text/event-stream", "data: one\n\ndata: two\n\n"],
  ] as const)
    it(`leave nothing on it, after many answers of ${type}`, async () => {
      const url = await listen((_, response) => response.writeHead(200, { "content-type": type }).end(text));
      for (let call = 0; call < 50; call++) expect(await (await ask(url)).text()).to.equal(text);
      expect(listeners()).to.equal(0);
    });

  it("leave nothing on it where the body is empty, not wanted, or a redirect, or nobody is there", async () => {
    const url = await listen(({ url: path }, response) => {
      const status = { "/empty": 204, "/elsewhere": 302 }[path ?? ""] ?? 200;
      response.writeHead(status, { location: "/" }).end(status === 204 ? undefined : "text");
    });
    await ask(`${url}empty`);
    await (await ask(url)).body?.cancel();
    const elsewhere = await ask(`${url}elsewhere`).catch(String);
    expect(elsewhere).to.include("sends elsewhere");
    const gone = await ask("http://127.0.0.1:1/").catch(String);
    expect(gone).to.include("fetch failed");
    expect(listeners()).to.equal(0);
  });

  it("leave nothing on it where a message is too long, and end", async () => {
    let closed: Promise<unknown> | undefined;
    const url = await listen((_, response) => {
      closed = once(response, "close");
      const piece = "x".repeat(2 ** 20);
      const write = (): void => void (response.destroyed || response.write(piece, () => setImmediate(write)));
      write();
    });
    const failed = await (await ask(url)).text().catch(String);
    expect(failed).to.include("too long");
    expect(listeners()).to.equal(0);
    await closed;
  });

  it("end with it, while they wait and while they are read", async () => {
    const url = await listen((request, response) => {
      if (request.url === "/events") response.writeHead(200).write("data: one\n\n");
    });
    const reader = (await ask(`${url}events`)).body!.getReader();
    await reader.read();
    const waiting = ask(url).catch((error: unknown) => error);
    await once(server, "request");
    expect(listeners()).to.equal(2);
    connection.abort(new Error("The link is closed."));
    expect(String(await waiting)).to.include("The link is closed.");
    const cut = await reader.read().catch((error: unknown) => error);
    expect(String(cut)).to.include("The link is closed.");
    expect(listeners()).to.equal(0);
    const late = await ask(url).catch((error: unknown) => error);
    expect(String(late)).to.include("The link is closed.");
  });
});
