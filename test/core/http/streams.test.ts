import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { expect } from "chai";
import type { EndpointAnswer, EndpointRequest, Route, ServerEvent } from "@pergola/sdk";
import { promised } from "../../support/promised.ts";
import { closeDoors, openDoor, readAnswer, sendBytes, type DoorSettings } from "./open-door.ts";

/** A stream whose events the test sends; it notes when it is told to return. */
class Source implements AsyncIterable<ServerEvent> {
  readonly returned = promised();
  pulled = 0;
  #waiting: (result: IteratorResult<ServerEvent>) => void = () => {};
  readonly #queue: IteratorResult<ServerEvent>[] = [];

  send(data: string): void {
    this.#push({ done: false, value: { data } });
  }

  end(): void {
    this.#push({ done: true, value: undefined });
  }

  #push(result: IteratorResult<ServerEvent>): void {
    this.#queue.push(result);
    this.#waiting(result);
  }

  [Symbol.asyncIterator](): AsyncIterator<ServerEvent> {
    return {
      next: async () => {
        if (this.#queue.length === 0) await new Promise((resolve) => (this.#waiting = resolve));
        this.pulled++;
        return this.#queue.shift() as IteratorResult<ServerEvent>;
      },
      return: async () => {
        this.returned.keep();
        return { done: true, value: undefined };
      },
    };
  }
}

const route = (answer: (request: EndpointRequest) => EndpointAnswer): Route => ({
  method: "GET",
  path: "/events",
  scope: "read",
  summary: "",
  handle: answer,
});
const streamOf = (events: AsyncIterable<ServerEvent>, settings: DoorSettings = {}) =>
  openDoor([route(() => ({ events }))], settings);

async function* all<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** The text after the headers, chunk framing taken off. */
async function textOf(url: string): Promise<string> {
  return (await fetch(`${url}/events`)).text();
}

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

describe("streams of events", () => {
  afterEach(closeDoors);

  it("S02, S10: have the headers of event streams, and those of the answer", async () => {
    const { url } = await openDoor([
      route(() => ({ events: all({ data: "1" }), headers: { "X-Run-Id": "r" } })),
    ]);
    const answer = await fetch(`${url}/events`);
    expect(answer.status).to.equal(200);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).to.include({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-accel-buffering": "no",
      "x-run-id": "r",
      "x-content-type-options": "nosniff",
    });
    expect(headers).to.not.have.property("content-length");
    await answer.text();
  });

  it("write each event as one line of data and an empty line", async () => {
    const { url } = await streamOf(all({ data: '{"a":1}' }, { data: "[DONE]" }));
    expect(await textOf(url)).to.equal('data: {"a":1}\n\ndata: [DONE]\n\n');
  });

  it("write id and event where there are any", async () => {
    const { url } = await streamOf(all({ id: "7", event: "state", data: "{}" }, { id: "8", data: "" }));
    expect(await textOf(url)).to.equal("id: 7\nevent: state\ndata: {}\n\nid: 8\ndata: \n\n");
  });

  it("CVE-2026-44214: no line break in a field forges another event", async () => {
    const { url } = await streamOf(
      all({ id: "1\ndata: [DONE]\n\n", event: "a\r\nid: 9", data: "{\n\ndata: [DONE]\r\n\r\n}" }),
    );
    expect(await textOf(url)).to.equal("id: 1 data: [DONE] \nevent: a id: 9\ndata: { data: [DONE] }\n\n");
  });

  it("S01: send the headers and each event at once", async () => {
    const source = new Source();
    const { url } = await streamOf(source);
    const { body } = await fetch(`${url}/events`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const text of ["one", "two"]) {
      source.send(text);
      expect((await reader.read()).value).to.equal(`data: ${text}\n\n`);
    }
    source.end();
    expect((await reader.read()).done).to.equal(true);
  });

  it("keep code points whole however long the text is", async () => {
    const long = "añ😀".repeat(100_000);
    const { url } = await streamOf(all(...Array.from({ length: 10 }, () => ({ data: long }))));
    expect((await textOf(url)) === `data: ${long}\n\n`.repeat(10)).to.equal(true);
  });

  it("send many events that are ready at once in few pieces", async () => {
    const count = 200;
    const { port } = await streamOf(
      all(...Array.from({ length: count }, (_, index) => ({ data: String(index) }))),
    );
    const socket = net.connect(port, "127.0.0.1");
    let pieces = 0;
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      pieces++;
      text += piece;
    });
    socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await once(socket, "close");
    expect(text.match(/data: /g)).to.have.lengthOf(count);
    expect(pieces).to.be.below(count / 4);
  });

  it("S04: send a comment after some seconds of silence, and again", async () => {
    const source = new Source();
    const { url } = await streamOf(source, { preferences: { "stream.ping_seconds": 0.05 } });
    const { body } = await fetch(`${url}/events`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let round = 0; round < 2; round++) expect((await reader.read()).value).to.equal(": ping\n\n");
    source.send("x");
    source.end();
    let rest = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) rest += piece.value;
    expect(rest).to.match(/^(: ping\n\n)*data: x\n\n$/);
  });

  it("send no comment while events come", async () => {
    async function* busy(): AsyncGenerator<ServerEvent> {
      for (let round = 0; round < 8; round++) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        yield { data: "x" };
      }
    }
    const { url } = await streamOf(busy(), { preferences: { "stream.ping_seconds": 0.25 } });
    expect(await textOf(url)).to.equal("data: x\n\n".repeat(8));
  });

  it("begin nothing for HEAD, and end", async () => {
    let begun = false;
    const events = { [Symbol.asyncIterator]: () => ((begun = true), new Source()[Symbol.asyncIterator]()) };
    const { port } = await streamOf(events);
    const answer = await sendBytes(
      port,
      "HEAD /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(answer).to.match(/^Content-Type: text\/event-stream; charset=utf-8$/m);
    expect(begun).to.equal(false);
  });

  it("are not mixed with an error when the client sends what is no HTTP meanwhile", async () => {
    const source = new Source();
    const { port } = await streamOf(source);
    source.send("first");
    const socket = net.connect(port, "127.0.0.1");
    socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    await once(socket, "data");
    socket.write("no HTTP\r\n\r\n");
    await once(socket, "close");
    expect(text.match(/HTTP\/1\.1/g)).to.have.lengthOf(1);
    await source.returned.promise;
  });

  it("use the connection again after their end", async () => {
    const { port } = await streamOf(all({ data: "1" }));
    const request = "GET /events HTTP/1.1\r\nHost: localhost\r\n";
    const answer = await sendBytes(port, `${request}\r\n${request}Connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 200/g)).to.have.lengthOf(2);
  });

  it("end without their end when the source fails, and the fault is logged", async () => {
    async function* failing(): AsyncGenerator<ServerEvent> {
      yield { data: "1" };
      await new Promise(setImmediate);
      throw new Error("secret");
    }
    const { port, logged } = await streamOf(failing());
    const answer = await sendBytes(port, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(readAnswer(answer).body).to.include("data: 1\n\n");
    expect(answer).to.not.match(/0\r\n\r\n$/);
    expect(answer).to.not.include("secret");
    expect(logged.map(({ fields }) => (fields["error"] as Error).message)).to.deep.equal(["secret"]);
  });

  it("are a proper error when the source was never begun", async () => {
    const { url } = await openDoor([
      route(() => {
        throw new Error("early");
      }),
    ]);
    const answer = await fetch(`${url}/events`);
    expect(answer.status).to.equal(500);
    expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
  });
});

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

describe("text in chunks", () => {
  afterEach(closeDoors);

  it("comes as it is, with its type, and without comments", async () => {
    async function* chunks(): AsyncGenerator<string> {
      yield "é";
      await new Promise((resolve) => setTimeout(resolve, 120));
      yield "\r\n\n😀";
    }
    const { url } = await openDoor(
      [route(() => ({ status: 200, chunks: chunks(), contentType: "text/plain; charset=utf-8" }))],
      {
        preferences: { "stream.ping_seconds": 0.05 },
      },
    );
    const answer = await fetch(`${url}/events`);
    expect(answer.headers.get("content-type")).to.equal("text/plain; charset=utf-8");
    expect(await answer.text()).to.equal("é\r\n\n😀");
  });
});
