import { expect } from "chai";
import type { ServerResponse } from "node:http";
import { closeAll, failureOf, open, start } from "./provider-fetch-scene.ts";
import { resolver, serve, stopServers } from "./servers.ts";

describe("createProviderFetch", () => {
  afterEach(closeAll);

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
});
