import { expect } from "chai";
import type { RequestListener } from "node:http";
import { closeAll, drain, failureOf, open, start } from "./provider-fetch-scene.ts";
import { resolver, stopServers } from "./servers.ts";

describe("createProviderFetch", () => {
  afterEach(closeAll);

  describe("failures", () => {
    it("tells a connection that failed as one to try again", async () => {
      const { base, fetch } = await start(() => undefined);
      await stopServers();
      const failure = await failureOf(fetch(base, {}));
      expect([failure.code, failure.details]).to.deep.equal(["provider_error", { retryable: true }]);
      expect(failure.message).to.include("ECONNREFUSED");
      const unknown = open({ baseUrl: "https://none.test", lookup: resolver({}).lookup });
      expect((await failureOf(unknown("https://none.test/", {}))).details).to.deep.equal({ retryable: true });
    });

    it("gives what came before a break, then the failure", async () => {
      const { fetch, base } = await start((_request, response) =>
        response.write("part", () => response.destroy()),
      );
      const { body } = await fetch(base, {});
      const seen: string[] = [];
      const reading = (async () => {
        for await (const piece of body) seen.push(Buffer.from(piece).toString());
      })();
      expect(await failureOf(reading)).to.include({ code: "provider_error" });
      expect(seen).to.deep.equal(["part"]);
    });

    it("waits for the first byte of the body, not longer", async () => {
      const silent = await start(() => undefined, { timeoutSeconds: 0.1 });
      expect(await failureOf(silent.fetch(silent.base, {}))).to.include({ code: "provider_timeout" });
      const headOnly = await start((_request, response) => response.writeHead(200).flushHeaders(), {
        timeoutSeconds: 0.1,
      });
      expect(await failureOf(drain((await headOnly.fetch(headOnly.base, {})).body))).to.include({
        code: "provider_timeout",
      });
    });

    it("lets the first byte take longer than the time between bytes", async () => {
      const { fetch, base } = await start(
        (_request, response) => setTimeout(() => response.end("late"), 150),
        {
          idleTimeoutSeconds: 0.05,
        },
      );
      expect(await (await fetch(base, {})).text()).to.equal("late");
    });

    it("waits between bytes, not longer, and each byte counts", async () => {
      const stalls = await start((_request, response) => void response.write("x"), {
        idleTimeoutSeconds: 0.1,
      });
      expect(await failureOf(drain((await stalls.fetch(stalls.base, {})).body))).to.include({
        code: "provider_timeout",
      });
      const slow: RequestListener = (_request, response) => {
        let left = 8;
        const timer = setInterval(
          () => (left-- > 0 ? response.write("x") : (clearInterval(timer), response.end())),
          40,
        );
      };
      const steady = await start(slow, { idleTimeoutSeconds: 0.25, timeoutSeconds: 0.25 });
      expect(await drain((await steady.fetch(steady.base, {})).body)).to.equal("xxxxxxxx");
    });

    it("reads no text larger than 10 MiB", async () => {
      const { fetch, base } = await start((_request, response) => response.end(Buffer.alloc(10_485_761)));
      expect((await failureOf((await fetch(base, {})).text())).message).to.include("10 MiB");
    });
  });

  describe("the end", () => {
    /** A server that never ends its answer and says when its request was closed. */
    const endless = () => {
      let closed: () => void;
      const whenClosed = new Promise<void>((resolve) => (closed = resolve));
      const listener: RequestListener = (request, response) => {
        const timer = setInterval(() => response.write("x"), 5);
        response.on("close", () => (clearInterval(timer), closed()));
        if (request.url === "/hang") clearInterval(timer);
      };
      return { whenClosed, listener };
    };

    it("P5: an abort closes the connection to the provider at once, with the caller's reason", async () => {
      for (const path of ["/hang", "/stream"]) {
        const { whenClosed, listener } = endless();
        const { fetch, base, connections } = await start(listener, {
          timeoutSeconds: 60,
          idleTimeoutSeconds: 60,
        });
        const controller = new AbortController();
        const work = fetch(base + path, { signal: controller.signal }).then(({ body }) => drain(body));
        while (connections() === 0) await new Promise(setImmediate);
        await new Promise((resolve) => setTimeout(resolve, 30));
        const reason = new Error("gone");
        controller.abort(reason);
        expect(await work.catch((error: unknown) => error)).to.equal(reason);
        await whenClosed;
      }
    });

    it("an abort before or while connecting makes no request", async () => {
      let requests = 0;
      const { fetch, base } = await start((_request, response) => response.end(String((requests += 1))));
      expect(
        await fetch(base, { signal: AbortSignal.abort(new Error("early")) }).catch(
          (error: Error) => error.message,
        ),
      ).to.equal("early");
      const controller = new AbortController();
      const work = fetch(base, { signal: controller.signal });
      await Promise.resolve();
      controller.abort(new Error("soon"));
      expect(await work.catch((error: Error) => error.message)).to.equal("soon");
      expect(await (await fetch(base, {})).text()).to.equal("1");
    });

    it("a reader that leaves closes the connection", async () => {
      const { whenClosed, listener } = endless();
      const { fetch, base } = await start(listener);
      for await (const piece of (await fetch(base, {})).body) if (piece.length > 0) break;
      await whenClosed;
    });

    it("leaves no listener on the signal", async () => {
      const { fetch, base } = await start((_request, response) => response.end("x"));
      const { signal } = new AbortController();
      let listeners = 0;
      const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
      signal.addEventListener = (...of: Parameters<typeof add>) => ((listeners += 1), add(...of));
      signal.removeEventListener = (...of: Parameters<typeof remove>) => ((listeners -= 1), remove(...of));
      for (let turn = 0; turn < 5; turn += 1) await (await fetch(base, { signal })).text();
      expect(listeners).to.equal(0);
    });
  });
});
