import { expect } from "chai";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { ToolError, type FetchInit } from "@pergola/sdk";
import { MockAgent } from "undici";
import { checkUrl, createFetch, followAll, type FetchOptions, type Hop } from "../fetch.ts";
import { codeOf } from "./folders.ts";
import { resolver, serve, stopServers, type Canary } from "./servers.ts";

const forms = (port: number): readonly string[] =>
  [
    // The same address in other clothes.
    ...`127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7f.0.0.0x1 0177.0.0.1 017700000001 0 0.0.0.0 00000.0x0`.split(
      " ",
    ),
    ...[
      "①②⑦.⓪.⓪.①",
      "127。0。0。1",
      "１２７.０.０.１",
      "%31%32%37.0.0.1",
      "127.0.0.1.",
      "127.0.0.1..",
      "127.0.0.1%2f",
      "127.0.0.1%00",
      "127.0.0.1\t",
    ],
    ...`[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [::7f00:1] [::1%25lo]`.split(
      " ",
    ),
    ...`[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1]`.split(
      " ",
    ),
    ...`169.254.169.254 168.63.129.16 100.100.100.200 10.0.0.1 172.16.0.1 192.168.0.1 192.0.0.192 224.0.0.1 255.255.255.255`.split(
      " ",
    ),
    ...[
      "localhost",
      "LOCALHOST",
      "localhost.",
      "loc\u00ADalhost",
      "lo\tcal\nhost",
      "private.test",
      "six.test",
      "mapped.test",
      "meta.test",
      "nul\0.test",
      "nul%00.test",
    ],
    ...[
      "x@127.0.0.1",
      "x:y@127.0.0.1",
      "example.com@127.0.0.1",
      "1.1.1.1 &@127.0.0.1",
      "example.com%40127.0.0.1",
      "[::1]@127.0.0.1",
    ],
  ]
    .flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])
    .concat([
      `http:\\\\127.0.0.1:${port}\\`,
      `http:/127.0.0.1:${port}`,
      `http:127.0.0.1:${port}`,
      `http://127.0.0.1:${port}\\@example.com/`,
    ])
    .concat([
      `http://1.1.1.1 &@127.0.0.1:${port}#@x/`,
      `HTTP://127.0.0.1:${port}`,
      ` http://127.0.0.1:${port} `,
      `ht\ntp://127.0.0.1:${port}`,
    ])
    .concat([
      `//127.0.0.1:${port}/`,
      `127.0.0.1:${port}`,
      `ws://127.0.0.1:${port}`,
      `ftp://127.0.0.1:${port}`,
      `gopher://127.0.0.1:${port}/_x`,
    ])
    .concat([
      "",
      "http://",
      "http:///",
      "file:///etc/passwd",
      "data:text/plain,x",
      "javascript:1",
      "unix:/var/run/docker.sock",
      "blob:http://127.0.0.1/x",
    ]);

describe("createFetch", () => {
  let controller: AbortController;
  let names: ReturnType<typeof resolver>;

  beforeEach(() => {
    controller = new AbortController();
    names = resolver({
      localhost: ["127.0.0.1", "::1"],
      "private.test": ["127.0.0.1", "10.0.0.1"],
      "six.test": ["::1"],
      "mapped.test": ["::ffff:127.0.0.1"],
      "meta.test": ["169.254.169.254"],
    });
  });

  afterEach(stopServers);

  const optionsFor = (...servers: readonly Canary[]): FetchOptions => ({
    hosts: "any",
    privateHosts: () => servers.map(({ port }) => `127.0.0.1:${port}`),
    signal: controller.signal,
    lookup: names.lookup,
  });

  /** Fetches from a server of one listener, which is an allowed private host. */
  async function get(listener: RequestListener, init?: FetchInit, path = "/"): Promise<Response> {
    const server = await serve(listener);
    return createFetch(optionsFor(server))(`http://127.0.0.1:${server.port}${path}`, init);
  }

  describe("where it goes", () => {
    it("R8, B6: no form of a private address or another scheme makes a connection", async function () {
      this.timeout(30_000);
      const canary = await serve((_request, response) => response.end("reached"));
      const six = await serve((_request, response) => response.end("reached"), {
        host: "::1",
        port: canary.port,
      });
      const fetch = createFetch(optionsFor());
      const outcomes = new Map<string, string>();
      for (const form of forms(canary.port))
        outcomes.set(form, await codeOf(fetch(form, { timeoutSeconds: 5 })));
      expect(outcomes.size).to.be.greaterThan(90);
      this.test!.title += ` (${outcomes.size} forms)`;
      expect(
        [...outcomes].filter(([, code]) => !["permission_denied", "invalid_value"].includes(code)),
      ).to.deep.equal([]);
      expect(canary.connections() + six.connections()).to.equal(0);
    });

    it("reaches the same server once it is on the list, so the canary would have sung", async () => {
      const canary = await serve((_request, response) => response.end("reached"));
      expect(
        await (await createFetch(optionsFor(canary))(`http://127.0.0.1:${canary.port}/`)).text(),
      ).to.equal("reached");
      expect(canary.connections()).to.equal(1);
      const [byName, byHost] = [
        { ...optionsFor(), privateHosts: () => [`private.test:${canary.port}`] },
        { ...optionsFor(), privateHosts: () => ["private.test"] },
      ];
      for (const options of [byName, byHost])
        expect((await createFetch(options)(`http://private.test:${canary.port}/`)).status).to.equal(200);
      expect(await codeOf(createFetch(byName)(`http://127.0.0.1:${canary.port}/`))).to.equal(
        "permission_denied",
      );
      expect(
        await codeOf(
          createFetch({ ...byName, privateHosts: () => ["private.test:1"] })(
            `http://private.test:${canary.port}/`,
          ),
        ),
      ).to.equal("permission_denied");
    });

    it("X17 never asks the service itself, listed or not, by whatever name of this computer", async () => {
      const [service, other] = [await serve(() => undefined), await serve((_asked, answer) => answer.end())];
      const options = {
        ...optionsFor(),
        privateHosts: () => ["127.0.0.1", "localhost", "127.0.0.9"],
        ownPorts: () => [service.port],
      };
      for (const host of ["127.0.0.1", "localhost", "127.0.0.9"])
        expect(await codeOf(createFetch(options)(`http://${host}:${service.port}/`)), host).to.equal(
          "permission_denied",
        );
      const configured = { ...options, origins: [`http://127.0.0.1:${service.port}`] };
      expect(await codeOf(createFetch(configured)(`http://127.0.0.1:${service.port}/`))).to.equal(
        "permission_denied",
      );
      expect(service.connections()).to.equal(0);
      expect((await createFetch(options)(`http://127.0.0.1:${other.port}/`)).status).to.equal(200);
    });

    it("A24: makes https of http, but for allowed private hosts", () => {
      const url = (text: string, hosts: readonly string[] = []) =>
        checkUrl(text, { ...optionsFor(), privateHosts: () => hosts }).href;
      expect(url("http://example.com/a?b")).to.equal("https://example.com/a?b");
      expect(url("http://example.com:80/")).to.equal("https://example.com/");
      expect(url("http://example.com:8080/")).to.equal("https://example.com:8080/");
      expect(url("http://example.com:443/")).to.equal("https://example.com/");
      expect(url("https://example.com:80/")).to.equal("https://example.com:80/");
      expect(url("http://nas:8080/", ["nas"])).to.equal("http://nas:8080/");
      expect(url("http://nas/", ["nas:80"])).to.equal("http://nas/");
      expect(url("http://nas:443/", ["nas"])).to.equal("https://nas/");
      expect(url("http://[::1]:8080/", ["[::1]:8080"])).to.equal("http://[::1]:8080/");
    });

    it("goes only to the hosts that the manifest names, at each hop", async () => {
      const target = await serve((_request, response) => response.end());
      const server = await serve((_request, response) =>
        response.writeHead(302, { location: `http://localhost:${target.port}/` }).end(),
      );
      const options = {
        ...optionsFor(server),
        privateHosts: () => ["127.0.0.1", "localhost"],
        hosts: ["127.0.0.1"],
      };
      expect(await codeOf(createFetch(options)(`http://localhost:${target.port}/`))).to.equal(
        "permission_denied",
      );
      expect(await codeOf(createFetch(options)(`http://127.0.0.1:${server.port}/`))).to.equal(
        "permission_denied",
      );
      expect(target.connections()).to.equal(0);
    });
  });

  describe("redirects", () => {
    const chain =
      (length: number, end: string): RequestListener =>
      ({ url = "/" }, response) => {
        const step = Number(url.slice(1));
        response
          .writeHead(step < length ? 302 : 200, { location: step === length - 1 ? end : `/${step + 1}` })
          .end(url);
      };

    it("CVE-2026-45401, A24: checks each hop anew and never reaches a private address", async () => {
      const canary = await serve((_request, response) => response.end());
      for (const target of forms(canary.port).filter(
        (form) => form.includes("127.0.0.1:") && /^https?:\/\//.test(form),
      )) {
        for (const length of [1, 5]) {
          const outcome = await codeOf(get(chain(length, target.trim()), { timeoutSeconds: 5 }, "/0"));
          expect(outcome, `${length} × ${target}`).to.be.oneOf(["permission_denied", "invalid_value"]);
        }
      }
      for (const target of ["file:///etc/passwd", "ftp://example.com/", "http://user:pass@example.com/"]) {
        expect(await codeOf(get(chain(1, target), {}, "/0")), target).to.equal("invalid_value");
      }
      expect(canary.connections()).to.equal(0);
    }).timeout(30_000);

    it("follows five and no more", async () => {
      const response = await get(chain(5, "/5"), {}, "/0");
      expect([response.status, await response.text(), new URL(response.url).pathname]).to.deep.equal([
        200,
        "/5",
        "/5",
      ]);
      expect(await codeOf(get(chain(6, "/6"), {}, "/0"))).to.equal("network_error");
      expect(
        await codeOf(get((_request, answer) => answer.writeHead(302, { location: "/" }).end())),
      ).to.equal("network_error");
    });

    it("hands on an answer that redirects nowhere", async () => {
      expect((await get((_request, response) => response.writeHead(302).end("x"))).status).to.equal(302);
      expect(
        (await get((_request, response) => response.writeHead(304, { location: "/x" }).end())).status,
      ).to.equal(304);
    });

    it("CVE-2025-51471: takes no key, token or cookie to another host", async () => {
      const seen: IncomingHttpHeaders[] = [];
      const keep: RequestListener = ({ headers }, response) => {
        seen.push(headers);
        response.end("ok");
      };
      const other = await serve(keep);
      const first = await serve((request, response) =>
        request.url === "/same"
          ? keep(request, response)
          : response
              .writeHead(302, { location: request.url === "/" ? "/same" : `http://127.0.0.1:${other.port}/` })
              .end(),
      );
      const headers = {
        Authorization: "Bearer k",
        Cookie: "a=b",
        "X-Api-Key": "k",
        "Proxy-Authorization": "k",
        Accept: "text/plain",
        "User-Agent": "Pergola",
      };
      const fetch = createFetch(optionsFor(first, other));
      await fetch(`http://127.0.0.1:${first.port}/`, { headers });
      await fetch(`http://127.0.0.1:${first.port}/away`, { headers });
      expect(seen[0]).to.include({ authorization: "Bearer k", cookie: "a=b", "x-api-key": "k" });
      expect(seen[1]).to.include({ accept: "text/plain", "user-agent": "Pergola" });
      expect(seen[1]).to.not.have.any.keys("authorization", "cookie", "x-api-key", "proxy-authorization");
    });

    it("takes no key from https to http, not even on the same host", async () => {
      const seen: string[] = [];
      const hop = (origin: string, location?: string): void => {
        const pool = agent.get(origin);
        pool.intercept({ path: "/" }).reply(({ headers }) => {
          seen.push(Object.keys(headers as Record<string, string>).join());
          return location === undefined
            ? { statusCode: 200 }
            : { statusCode: 302, responseOptions: { headers: { location } } };
        });
      };
      const agent = new MockAgent();
      agent.disableNetConnect();
      const first: Hop = {
        url: new URL("http://nas/"),
        method: "GET",
        headers: { accept: "text/plain", authorization: "Bearer k", cookie: "a=b" },
        body: null,
      };
      hop("http://nas", "https://nas/");
      hop("https://nas", "http://nas/");
      hop("http://nas");
      await followAll(first, agent, { ...optionsFor(), privateHosts: () => ["nas"] });
      await agent.close();
      expect(seen).to.deep.equal(["accept,authorization,cookie", "accept,authorization,cookie", "accept"]);
    });

    it("sends the body again only where the status says so", async () => {
      for (const [status, expected] of [
        [301, "GET "],
        [302, "GET "],
        [303, "GET "],
        [307, "POST b"],
        [308, "POST b"],
      ] as const) {
        const listener: RequestListener = (request, response) => {
          if (request.url === "/") return void response.writeHead(status, { location: "/to" }).end();
          let body = "";
          request
            .on("data", (piece: Buffer) => (body += piece.toString()))
            .on("end", () => response.end(`${request.method} ${body}`));
        };
        expect(await (await get(listener, { method: "post", body: "b" })).text(), String(status)).to.equal(
          expected,
        );
      }
    });

    it("keeps no cookies between hops and calls", async () => {
      const listener: RequestListener = ({ headers, url }, response) => {
        response
          .writeHead(url === "/" ? 302 : 200, { "set-cookie": "a=b", location: "/to" })
          .end(headers.cookie ?? "none");
      };
      expect(await (await get(listener)).text()).to.equal("none");
    });
  });

  describe("answers", () => {
    it("are complete responses", async () => {
      const response = await get((_request, answer) =>
        answer.writeHead(404, { "x-two": ["a", "b"], "content-type": "application/json" }).end('{"a":1}'),
      );
      expect(response).to.be.instanceOf(Response);
      expect([response.status, response.ok, response.headers.get("x-two")]).to.deep.equal([
        404,
        false,
        "a, b",
      ]);
      expect(await response.json()).to.deep.equal({ a: 1 });
    });

    it("may have no body", async () => {
      expect((await get((_request, answer) => answer.writeHead(204).end())).body).to.equal(null);
      const head = await get(
        (_request, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end(),
        { method: "HEAD" },
      );
      expect(await head.text()).to.equal("");
    });

    it("are unpacked", async () => {
      const packed = {
        gzip: gzipSync("text"),
        "x-gzip": gzipSync("text"),
        deflate: deflateSync("text"),
        br: brotliCompressSync("text"),
        "gzip, br": brotliCompressSync(gzipSync("text")),
      };
      for (const [encoding, body] of Object.entries(packed)) {
        const response = await get((_request, answer) =>
          answer.writeHead(200, { "content-encoding": encoding }).end(body),
        );
        expect(await response.text(), encoding).to.equal("text");
        expect(response.headers.has("content-encoding")).to.equal(false);
      }
    });

    it("CVE-2026-22036: stop at the byte limit, packed or not", async () => {
      const zeros = Buffer.alloc(50_000_000);
      const bombs = {
        gzip: gzipSync(zeros),
        // Its best quality takes seconds.
        br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
        "gzip, gzip": gzipSync(gzipSync(zeros)),
        deflate: deflateSync(zeros),
      };
      for (const [encoding, body] of Object.entries(bombs)) {
        const before = process.memoryUsage().rss;
        const outcome = await codeOf(
          get((_request, answer) => answer.writeHead(200, { "content-encoding": encoding }).end(body), {
            maxBytes: 1_000_000,
          }),
        );
        expect(outcome, encoding).to.equal("network_error");
        expect(process.memoryUsage().rss - before).to.be.lessThan(40_000_000);
      }
      expect(
        await codeOf(get((_request, answer) => answer.end(zeros.subarray(0, 1001)), { maxBytes: 1000 })),
      ).to.equal("network_error");
      expect(
        (
          await (
            await get((_request, answer) => answer.end(zeros.subarray(0, 1000)), { maxBytes: 1000 })
          ).arrayBuffer()
        ).byteLength,
      ).to.equal(1000);
    }).timeout(30_000);

    it("unpack a bounded number of times", async () => {
      const response = await get((_request, answer) =>
        answer
          .writeHead(200, { "content-encoding": Array(9).fill("gzip").join() })
          .end(gzipSync(gzipSync(gzipSync("x")))),
      );
      expect(await response.text()).to.equal("x");
    });

    it("that are broken are network errors", async () => {
      expect(
        await codeOf(
          get((_request, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end("no gzip")),
        ),
      ).to.equal("network_error");
      expect(
        await codeOf(
          get(
            (_request, answer) =>
              void answer.writeHead(200, { "content-length": "9" }).write("x", () => answer.destroy()),
          ),
        ),
      ).to.equal("network_error");
      expect(await codeOf(get((request) => request.socket.end("garbage\r\n\r\n")))).to.equal("network_error");
      const gone = await serve(() => undefined);
      await stopServers();
      expect(await codeOf(createFetch(optionsFor(gone))(`http://127.0.0.1:${gone.port}/`))).to.equal(
        "network_error",
      );
      expect(await codeOf(createFetch(optionsFor())("https://unknown.test/"))).to.equal("network_error");
    });
  });

  describe("time", () => {
    it("is limited in all, headers and body", async () => {
      expect(await codeOf(get(() => undefined, { timeoutSeconds: 0.1 }))).to.equal("timeout");
      const dripping: RequestListener = (_request, response) => {
        const timer = setInterval(() => response.write("x"), 10);
        response.on("close", () => clearInterval(timer));
      };
      expect(await codeOf(get(dripping, { timeoutSeconds: 0.2 }))).to.equal("timeout");
    });

    it("ends with the call or with the caller's own signal", async () => {
      const own = new AbortController();
      const listener: RequestListener = () => setTimeout(() => own.abort(), 10);
      expect(await codeOf(get(listener, { signal: own.signal }))).to.equal("cancelled");
      expect(await codeOf(get(() => setTimeout(() => controller.abort(), 10)))).to.equal("cancelled");
      expect(await codeOf(get(() => undefined))).to.equal("cancelled");
      controller = new AbortController();
      expect(
        await codeOf(
          get(() =>
            setTimeout(() => controller.abort(new ToolError("timeout", "The call took too long.")), 10),
          ),
        ),
      ).to.equal("timeout");
    });

    it("leaves no connection behind", async () => {
      const server = await serve((request, response) =>
        request.url === "/hang"
          ? undefined
          : response.writeHead(302, { location: "/hang" }).end("x".repeat(1e6)),
      );
      await codeOf(
        createFetch(optionsFor(server))(`http://127.0.0.1:${server.port}/`, { timeoutSeconds: 0.1 }),
      );
      while ((await server.open()) > 0) await new Promise(setImmediate);
    });
  });
});
