import { expect } from "chai";
import type { RequestListener } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { ToolError } from "@pergola/sdk";
import { createFetch } from "../fetch.ts";
import { codeOf } from "./folders.ts";
import { serve, stopServers } from "./servers.ts";
import { FetchScene } from "./fetch-scene.ts";

describe("createFetch", () => {
  let scene: FetchScene;
  beforeEach(() => {
    scene = new FetchScene();
  });
  afterEach(stopServers);

  describe("answers", () => {
    it("are complete responses", async () => {
      const response = await scene.get((_request, answer) =>
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
      expect((await scene.get((_request, answer) => answer.writeHead(204).end())).body).to.equal(null);
      const head = await scene.get(
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
        const response = await scene.get((_request, answer) =>
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
          scene.get((_request, answer) => answer.writeHead(200, { "content-encoding": encoding }).end(body), {
            maxBytes: 1_000_000,
          }),
        );
        expect(outcome, encoding).to.equal("network_error");
        expect(process.memoryUsage().rss - before).to.be.lessThan(40_000_000);
      }
      expect(
        await codeOf(
          scene.get((_request, answer) => answer.end(zeros.subarray(0, 1001)), { maxBytes: 1000 }),
        ),
      ).to.equal("network_error");
      expect(
        (
          await (
            await scene.get((_request, answer) => answer.end(zeros.subarray(0, 1000)), { maxBytes: 1000 })
          ).arrayBuffer()
        ).byteLength,
      ).to.equal(1000);
    }).timeout(30_000);

    it("unpack a bounded number of times", async () => {
      const response = await scene.get((_request, answer) =>
        answer
          .writeHead(200, { "content-encoding": Array(9).fill("gzip").join() })
          .end(gzipSync(gzipSync(gzipSync("x")))),
      );
      expect(await response.text()).to.equal("x");
    });

    it("that are broken are network errors", async () => {
      expect(
        await codeOf(
          scene.get((_request, answer) =>
            answer.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
          ),
        ),
      ).to.equal("network_error");
      expect(
        await codeOf(
          scene.get(
            (_request, answer) =>
              void answer.writeHead(200, { "content-length": "9" }).write("x", () => answer.destroy()),
          ),
        ),
      ).to.equal("network_error");
      expect(await codeOf(scene.get((request) => request.socket.end("garbage\r\n\r\n")))).to.equal(
        "network_error",
      );
      const gone = await serve(() => undefined);
      await stopServers();
      expect(await codeOf(createFetch(scene.optionsFor(gone))(`http://127.0.0.1:${gone.port}/`))).to.equal(
        "network_error",
      );
      expect(await codeOf(createFetch(scene.optionsFor())("https://unknown.test/"))).to.equal(
        "network_error",
      );
    });
  });

  describe("time", () => {
    it("is limited in all, headers and body", async () => {
      expect(await codeOf(scene.get(() => undefined, { timeoutSeconds: 0.1 }))).to.equal("timeout");
      const dripping: RequestListener = (_request, response) => {
        const timer = setInterval(() => response.write("x"), 10);
        response.on("close", () => clearInterval(timer));
      };
      expect(await codeOf(scene.get(dripping, { timeoutSeconds: 0.2 }))).to.equal("timeout");
    });

    it("ends with the call or with the caller's own signal", async () => {
      const own = new AbortController();
      const listener: RequestListener = () => setTimeout(() => own.abort(), 10);
      expect(await codeOf(scene.get(listener, { signal: own.signal }))).to.equal("cancelled");
      expect(await codeOf(scene.get(() => setTimeout(() => scene.controller.abort(), 10)))).to.equal(
        "cancelled",
      );
      expect(await codeOf(scene.get(() => undefined))).to.equal("cancelled");
      scene.controller = new AbortController();
      expect(
        await codeOf(
          scene.get(() =>
            setTimeout(() => scene.controller.abort(new ToolError("timeout", "The call took too long.")), 10),
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
        createFetch(scene.optionsFor(server))(`http://127.0.0.1:${server.port}/`, { timeoutSeconds: 0.1 }),
      );
      while ((await server.open()) > 0) await new Promise(setImmediate);
    });
  });
});
