import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect } from "chai";
import {
  chatChunk,
  chatReply,
  doneFrame,
  frame,
  mockProviderServer,
  type MockPiece,
  type MockProviderServer,
} from "@pergola/sdk/testing";
import { ask, call, open } from "./support.ts";

const hello = frame(chatChunk({ content: "Hello" }));

describe("leaving an answer (F11)", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  const moments: Readonly<Record<string, readonly MockPiece[]>> = {
    "before the headers": [{ hang: true }],
    "in prefill, while nothing comes": [{ flush: true }, { hang: true }],
    "in prefill, while comments come": [": wait\n\n", { delayMs: 20 }, ": wait\n\n", { hang: true }],
    "in the middle of the text": [hello, { hang: true }],
    "in the middle of a chunk": [hello.slice(0, 20), { hang: true }],
    "in the middle of a flood": Array.from({ length: 2000 }, () => [hello, { delayMs: 0 }]).flat(),
  };
  for (const [moment, body] of Object.entries(moments)) {
    it(`is seen by the provider within a second when it is aborted ${moment}`, async () => {
      server.play({ body });
      const controller = new AbortController();
      const asked = ask(await open("custom", { baseUrl: server.baseUrl }), {}, controller.signal);
      const { outcome } = await server.request(0);
      setTimeout(() => controller.abort(new Error("gone")), 30);
      expect((await asked).error).to.have.property("message", "gone");
      const begun = performance.now();
      expect(await outcome).to.equal("aborted");
      expect(performance.now() - begun).to.be.below(1000);
    });
  }

  it("sends nothing for a call that is aborted already", async () => {
    const { error } = await ask(
      await open("custom", { baseUrl: server.baseUrl }),
      {},
      AbortSignal.abort(new Error("gone")),
    );
    expect(error).to.have.property("message", "gone");
    expect(server.requests).to.be.empty;
  });

  it("yields nothing more of a read that held several events", async () => {
    server.play(chatReply([{ text: "one" }, { reasoning: "two" }, { text: "three" }]));
    const controller = new AbortController();
    const provider = await open("custom", { baseUrl: server.baseUrl });
    const seen: string[] = [];
    try {
      for await (const event of provider.stream(call(), controller.signal)) {
        seen.push(event.type);
        controller.abort();
      }
    } catch {
      seen.push("aborted");
    }
    expect(seen).to.deep.equal(["text", "aborted"]);
  });

  it("leaves no listener on the caller's signal", async () => {
    server.play(chatReply({ text: "Hello" }));
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get: (target, name) => {
        if (name === "addEventListener") listeners++;
        if (name === "removeEventListener") listeners--;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    await ask(await open("custom", { baseUrl: server.baseUrl }), {}, counted);
    while (listeners > 0) await new Promise(setImmediate);
    expect(listeners).to.equal(0);
  });

  it("serves the next call over the connection of a complete answer", async () => {
    const ports = new Set<number | undefined>();
    const free: Promise<unknown>[] = [];
    const fetch = (await import("@pergola/sdk/testing")).directFetch;
    server.play(chatReply({ text: "Hello" }));
    const provider = await open(
      "custom",
      { baseUrl: server.baseUrl },
      {
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          const { socket } = response.body as unknown as { socket: Socket };
          ports.add(socket.localPort);
          free.push(once(socket, "free"));
          return response;
        },
      },
    );
    for (let turn = 0; turn < 3; turn++) {
      await ask(provider);
      await free[turn];
    }
    expect(ports.size).to.equal(1);
  });

  it("ends with [DONE] even if the provider keeps the connection open, and then tears it down", async () => {
    server.play({ body: [hello, frame(chatChunk({}, "stop")), doneFrame, { hang: true }] });
    const { last } = await ask(await open("custom", { baseUrl: server.baseUrl }));
    expect(last).to.deep.equal({ type: "end", reason: "stop" });
    expect(await (await server.request(0)).outcome).to.equal("aborted");
  }).timeout(3000);

  it("does not hang on a server that takes the connection and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    const sockets: Socket[] = [];
    silent.on("connection", (socket) => sockets.push(socket));
    const { error } = await ask(
      await open("custom", { baseUrl: `http://127.0.0.1:${port}/v1` }),
      {},
      AbortSignal.timeout(50),
    );
    expect(error).to.have.property("name", "TimeoutError");
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
