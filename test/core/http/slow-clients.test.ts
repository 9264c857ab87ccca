import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { expect } from "chai";
import type { ServerEvent } from "@pergola/sdk";
import { promised } from "../../support/promised.ts";
import { closeDoors, openDoor } from "./open-door.ts";
import { Source, route, streamOf, all } from "./event-source.ts";

async function* endless(size: number): AsyncGenerator<ServerEvent> {
  for (;;) {
    yield { data: "x".repeat(size) };
    await new Promise(setImmediate);
  }
}

/** Connects, asks, and reads nothing from then on. */
async function askAndStall(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return socket;
}

describe("clients that go away or fall behind", () => {
  afterEach(closeDoors);

  it("S08: the signal aborts and the source is told to return, though it is silent", async () => {
    const source = new Source();
    const aborted = promised();
    const { port, logged } = await openDoor([
      route(({ signal }) => {
        signal.addEventListener("abort", () => aborted.keep());
        return { events: source };
      }),
    ]);
    source.send("first");
    const request = http.get({ port, host: "127.0.0.1", path: "/events" });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    await once(response, "data");
    const start = performance.now();
    response.destroy();
    await Promise.all([aborted.promise, source.returned.promise]);
    expect(performance.now() - start).to.be.below(500);
    expect(logged).to.deep.equal([]);
  });

  it("S08: the signal aborts too before there is an answer", async () => {
    const [asked, aborted] = [promised(), promised()];
    const { port, logged } = await openDoor([
      {
        method: "GET",
        path: "/slow",
        scope: "read",
        summary: "",
        handle: ({ signal }) =>
          new Promise((_, reject) => {
            asked.keep();
            signal.addEventListener("abort", () => {
              aborted.keep();
              reject(signal.reason as Error);
            });
          }),
      },
    ]);
    const request = http.get({ port, host: "127.0.0.1", path: "/slow" });
    request.on("error", () => {});
    await asked.promise;
    request.destroy();
    await aborted.promise;
    expect(logged).to.deep.equal([]);
  });

  it("the signal does not abort when the answer is complete", async () => {
    let signal: AbortSignal | undefined;
    const { url } = await openDoor([
      {
        method: "GET",
        path: "/quick",
        scope: "read",
        summary: "",
        handle: (request) => ((signal = request.signal), { body: 1 }),
      },
    ]);
    await (await fetch(`${url}/quick`)).text();
    await closeDoors();
    expect(signal?.aborted).to.equal(false);
  });

  it("a client that reads nothing holds the source, and is cut off in the end", async () => {
    let pulled = 0;
    const returned = promised();
    async function* source(): AsyncGenerator<ServerEvent> {
      try {
        for await (const event of endless(64 * 1024)) {
          pulled++;
          yield event;
        }
      } finally {
        returned.keep();
      }
    }
    const { port } = await streamOf(source(), {
      limits: { stalledReader: 300 },
      preferences: { "stream.ping_seconds": 0.05 },
    });
    const socket = await askAndStall(port);
    await returned.promise;
    const held = pulled;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pulled).to.equal(held);
    expect(held).to.be.below(400);
    socket.destroy();
  });

  it("a client that only is slow gets everything", async () => {
    const size = 256 * 1024;
    const events = Array.from({ length: 40 }, (_, index) => ({ data: String(index % 10).repeat(size) }));
    const { port } = await streamOf(all(...events), { limits: { stalledReader: 400 } });
    const socket = await askAndStall(port);
    let got = 0;
    socket.on("data", (piece: Buffer) => {
      got += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    const enough = new Promise<void>((resolve) => socket.on("data", () => got > 40 * size && resolve()));
    socket.resume();
    await Promise.race([ended, enough]);
    expect(got).to.be.above(40 * size);
    socket.destroy();
  });

  it("a client that has caught up may wait for the next event as long as it takes", async () => {
    const source = new Source();
    const { url } = await streamOf(source, { limits: { stalledReader: 100 } });
    const big = "x".repeat(6_000_000);
    source.send(big);
    const { body } = await fetch(`${url}/events`);
    let text = "";
    setTimeout(() => source.send("late"), 400);
    setTimeout(() => source.end(), 410);
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) text += piece;
    expect(text === `data: ${big}\n\ndata: late\n\n`).to.equal(true);
  });

  it("R4: of clients that read nothing those go that wait longest, once they hold too much together", async () => {
    const body = "x".repeat(12_000_000);
    const { port, http: door } = await openDoor(
      [{ method: "GET", path: "/events", scope: "read", summary: "", handle: () => ({ body }) }],
      { limits: { unsentBytes: 30_000_000 } },
    );
    const sockets: net.Socket[] = [];
    const closed = new Set<net.Socket>();
    door.server.on("connection", (socket: net.Socket) => {
      sockets.push(socket.on("close", () => closed.add(socket)));
    });
    const clients = [await askAndStall(port), await askAndStall(port)];
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(closed.size).to.equal(0);
    clients.push(await askAndStall(port), await askAndStall(port));
    while (closed.size < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect([...closed]).to.have.members(sockets.slice(0, 2));
    for (const client of clients) client.destroy();
  });

  it("a plain answer that nobody reads does not stay for ever", async () => {
    const { port, http: door } = await openDoor(
      [
        {
          method: "GET",
          path: "/events",
          scope: "read",
          summary: "",
          handle: () => ({ body: "x".repeat(20_000_000) }),
        },
      ],
      { limits: { stalledReader: 200 } },
    );
    const socket = await askAndStall(port);
    const count = () =>
      new Promise<number>((resolve) => door.server.getConnections((_, open) => resolve(open)));
    while ((await count()) === 0) await new Promise(setImmediate);
    const start = performance.now();
    while ((await count()) > 0 && performance.now() - start < 5000)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await count()).to.equal(0);
    socket.destroy();
  });
});
