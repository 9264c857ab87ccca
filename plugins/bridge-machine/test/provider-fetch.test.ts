import { expect } from "chai";
import type { RequestListener, ServerResponse } from "node:http";
import { AppError } from "@pergola/sdk";
import { createProviderFetch, type ProviderFetchOptions } from "../provider-fetch.ts";
import { resolver, serve, stopServers } from "./servers.ts";

const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  const caught = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(AppError.is(caught)).to.equal(true);
  return caught as AppError;
};

const drain = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = "";
  for await (const piece of body) text += Buffer.from(piece).toString();
  return text;
};

describe("createProviderFetch", () => {
  const opened: { close(): Promise<void> }[] = [];

  const open = (options: Partial<ProviderFetchOptions>) => {
    const fetch = createProviderFetch({
      baseUrl: "http://127.0.0.1:1/v1",
      timeoutSeconds: 5,
      idleTimeoutSeconds: 5,
      ...options,
    });
    opened.push(fetch);
    return fetch;
  };

  const start = async (listener: RequestListener, options: Partial<ProviderFetchOptions> = {}) => {
    const server = await serve(listener);
    const base = `http://127.0.0.1:${server.port}`;
    return { ...server, base, fetch: open({ baseUrl: `${base}/v1`, ...options }) };
  };

  afterEach(async () => {
    for (const fetch of opened.splice(0)) await fetch.close();
    await stopServers();
  });

  it("M8: says in words why there was no connection, and what to do", async () => {
    const closed = await serve(() => undefined);
    const { port } = closed;
    await stopServers();
    const refused = await failureOf(
      open({ baseUrl: `http://127.0.0.1:${port}` })(`http://127.0.0.1:${port}/`, { method: "GET" }),
    );
    expect(refused.message).to.equal(
      "The connection to the provider failed: nothing listens at its address (ECONNREFUSED). " +
        "Check that it runs, and its base_url.",
    );
    const { fetch, base } = await start((request) => request.socket.destroy());
    const broken = await failureOf(fetch(`${base}/v1/models`, { method: "GET" }));
    expect(broken.message).to.match(
      /: it closed the connection too early \((UND_ERR_SOCKET|ECONNRESET)\)\. Try again/,
    );
  });

  it("sends method, headers and body, and hands back status, headers and body", async () => {
    const { fetch, base } = await start((request, response) => {
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () =>
        response
          .writeHead(429, { "Retry-After": "7" })
          .end(
            `${request.method} ${request.url} ${request.headers.authorization} ` +
              `${request.headers["content-length"]} ${body}`,
          ),
      );
    });
    for (const body of ["{} ä", new TextEncoder().encode("{} ä")]) {
      const answer = await fetch(`${base}/v1/chat?x=1`, {
        method: "POST",
        headers: { authorization: "Bearer k" },
        body,
      });
      expect([answer.status, answer.header("retry-after"), answer.header("none")]).to.deep.equal([
        429,
        "7",
        undefined,
      ]);
      expect(await answer.text()).to.equal("POST /v1/chat?x=1 Bearer k 5 {} ä");
    }
  });

  it("waits past a hint that the answer will come", async () => {
    const { fetch, base } = await start((_request, response) => {
      response.writeEarlyHints({ link: "</x>; rel=preload" });
      response.writeProcessing();
      response.writeHead(201).end("x");
    });
    expect((await fetch(base, {})).status).to.equal(201);
  });

  it("hands on pieces as they come", async () => {
    let upstream: ServerResponse | undefined;
    const { fetch, base } = await start((_request, response) => void (upstream = response).write("one"));
    const seen: string[] = [];
    for await (const piece of (await fetch(`${base}/`, {})).body) {
      seen.push(Buffer.from(piece).toString());
      if (seen.length === 3) upstream?.end();
      else upstream?.write(["two", "three"][seen.length - 1]);
    }
    expect(seen).to.deep.equal(["one", "two", "three"]);
  });

  it("uses a connection again", async () => {
    const { fetch, base, connections } = await start((_request, response) => response.end("x"));
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await (await fetch(`${base}/`, {})).text()).to.equal("x");
      await new Promise(setImmediate);
    }
    expect(connections()).to.equal(1);
  });

  it("keeps every byte for a slow reader, and makes the provider wait", async () => {
    let isHeldUp = false;
    const { fetch, base } = await start(
      (_request, response) => {
        const piece = Buffer.alloc(1_000_000, "x");
        for (let turn = 0; turn < 20; turn += 1) response.write(piece);
        response.end(() => (isHeldUp = false));
        isHeldUp = true;
      },
      { idleTimeoutSeconds: 0.15 },
    );
    let bytes = 0;
    for await (const piece of (await fetch(`${base}/`, {})).body) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 400));
      if (bytes === 0) expect(isHeldUp).to.equal(true);
      bytes += piece.length;
    }
    expect(bytes).to.equal(20_000_000);
  });

  describe("where it goes", () => {
    it("A22, CVE-2024-6587: sends nothing to another host, port or scheme than the provider's", async () => {
      const trap = await serve((_request, response) => response.end());
      const { fetch, base, connections } = await start((_request, response) => response.end());
      const others = [
        `http://127.0.0.1:${trap.port}/v1`,
        `http://localhost:${trap.port}/`,
        base.replace("http", "https"),
        `${base}@127.0.0.1:${trap.port}/`,
        "nonsense",
        "",
      ];
      for (const url of others)
        expect((await failureOf(fetch(url, {}))).details, url).to.deep.equal({ retryable: false });
      expect(trap.connections() + connections()).to.equal(0);
    });

    it("reaches the origins that the kind names, each over connections of its own, and no third", async () => {
      const [login, trap] = [
        await serve((_request, response) => response.end("login")),
        await serve((_request, response) => response.end()),
      ];
      const loginBase = `http://127.0.0.1:${login.port}`;
      const { fetch, base } = await start((_request, response) => response.end("models"), {
        origins: [`${loginBase}/ignored`],
      });
      expect(await (await fetch(`${base}/v1`, {})).text()).to.equal("models");
      expect(await (await fetch(`${loginBase}/device`, {})).text()).to.equal("login");
      for (const url of [
        `http://127.0.0.1:${trap.port}/`,
        `http://localhost:${login.port}/`,
        `${loginBase}@127.0.0.1:${trap.port}/`,
      ])
        expect((await failureOf(fetch(url, {}))).details, url).to.deep.equal({ retryable: false });
      expect(trap.connections()).to.equal(0);
    });

    it("speaks http to a public origin of its kind no more than to a public base URL", async () => {
      const fetch = open({
        origins: ["http://login.example"],
        lookup: resolver({ "login.example": ["93.184.216.34"] }).lookup,
      });
      expect((await failureOf(fetch("http://login.example/device", {}))).details).to.deep.equal({
        retryable: false,
      });
    });

    it("A23: follows no redirect", async () => {
      const trap = await serve((_request, response) => response.end());
      const { fetch, base } = await start((_request, response) =>
        response.writeHead(307, { location: `http://127.0.0.1:${trap.port}/` }).end(),
      );
      const failure = await failureOf(fetch(`${base}/`, { headers: { authorization: "k" } }));
      expect(failure).to.include({
        code: "provider_error",
        message: "The provider redirects (307); set its base URL to the right one.",
      });
      expect(trap.connections()).to.equal(0);
    });

    it("speaks http to loopback and private addresses only", async () => {
      const names = resolver({
        "nas.test": ["127.0.0.1"],
        "public.test": ["203.0.114.1"],
        "both.test": ["203.0.114.1", "127.0.0.1"],
      });
      const server = await serve((_request, response) => response.end("home"));
      for (const host of ["nas.test", "both.test"]) {
        const base = `http://${host}:${server.port}`;
        expect(await (await open({ baseUrl: base, lookup: names.lookup })(base, {})).text(), host).to.equal(
          "home",
        );
      }
      for (const base of ["http://public.test", "http://203.0.114.1/v1", "http://[2606:4700::1111]"]) {
        const failure = await failureOf(open({ baseUrl: base, lookup: names.lookup })(base, {}));
        expect(failure, base).to.include({ code: "provider_error" });
        expect(failure.message).to.include("plain http is for loopback and private addresses");
        expect(failure.details).to.deep.equal({ retryable: false });
      }
    });
  });

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
