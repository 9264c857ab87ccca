import { once } from "node:events";
import type { Socket } from "node:net";
import { expect } from "chai";
import {
  directFetch,
  mockProviderServer,
  type MockPiece,
  type MockProviderServer,
} from "@pergola/sdk/testing";
import { delta, finish, messagesReply, opens, ping, start, stop } from "./messages-reply.ts";
import { ask, open } from "./support.ts";

const hello = opens(0, { type: "text", text: "" }) + delta(0, { type: "text_delta", text: "Hello" });

describe("leaving an answer of the Messages format (F11)", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  const moments: Readonly<Record<string, readonly MockPiece[]>> = {
    "before the headers": [{ hang: true }],
    "while only pings come": [start(), ping, { delayMs: 20 }, ping, { hang: true }],
    "in the middle of the text": [start(), hello, { hang: true }],
    "in the middle of an event": [start(), hello.slice(0, 60), { hang: true }],
    "in the middle of a flood": [
      start(),
      hello,
      ...Array.from({ length: 1000 }, () => [
        delta(0, { type: "text_delta", text: "x" }),
        { delayMs: 0 },
      ]).flat(),
    ],
  };
  for (const [moment, body] of Object.entries(moments)) {
    it(`is seen by the provider within a second when it is aborted ${moment}`, async () => {
      server.play({ body });
      const controller = new AbortController();
      const asked = ask(await open({ baseUrl: server.baseUrl }), {}, controller.signal);
      const { outcome } = await server.request(0);
      setTimeout(() => controller.abort(new Error("gone")), 30);
      expect((await asked).error).to.have.property("message", "gone");
      const begun = performance.now();
      expect(await outcome).to.equal("aborted");
      expect(performance.now() - begun).to.be.below(1000);
    });
  }

  it("F9: that is torn down in the middle is a failure that lets hope", async () => {
    server.play({ body: [start(), hello, { delayMs: 5 }, { reset: true }] });
    const { text, error } = await ask(await open({ baseUrl: server.baseUrl }));
    expect(text).to.equal("Hello");
    expect(error).to.include({ code: "provider_error" });
  });

  it("ends with message_stop even if the provider keeps the connection open, and then tears it down", async () => {
    server.play({ body: [start(), hello, finish("end_turn"), stop, { hang: true }] });
    const { last } = await ask(await open({ baseUrl: server.baseUrl }));
    expect(last).to.deep.equal({ type: "end", reason: "stop" });
    expect(await (await server.request(0)).outcome).to.equal("aborted");
  }).timeout(3000);

  it("serves the next call over the connection of a complete one", async () => {
    const ports = new Set<number | undefined>();
    const free: Promise<unknown>[] = [];
    server.play(messagesReply({ text: "Hello" }));
    const fetch: typeof directFetch = async (url, init) => {
      const response = await directFetch(url, init);
      const { socket } = response.body as unknown as { socket: Socket };
      ports.add(socket.localPort);
      free.push(once(socket, "free"));
      return response;
    };
    const provider = await open({ baseUrl: server.baseUrl }, { fetch });
    for (let turn = 0; turn < 3; turn++) {
      await ask(provider);
      await free[turn];
    }
    expect(ports.size).to.equal(1);
  });
});
