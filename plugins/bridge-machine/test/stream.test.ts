import { expect } from "chai";
import { once } from "node:events";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import type { StreamFetch } from "@pergola/sdk/host";
import { createStream } from "../stream.ts";
import { codeOf } from "./folders.ts";
import { serve, stopServers, type Canary } from "./servers.ts";

const originOf = ({ port }: Canary): string => `http://127.0.0.1:${port}`;

describe("createStream", () => {
  let leave: AbortController;
  beforeEach(() => (leave = new AbortController()));
  afterEach(async () => {
    leave.abort();
    await stopServers();
  });

  const streamTo = (...servers: readonly Canary[]): StreamFetch =>
    createStream({ hosts: "any", origins: servers.map(originOf), privateHosts: () => [] });
  const ask = (stream: StreamFetch, url: string, more: object = {}) =>
    stream(url, { signal: leave.signal, ...more });

  async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0;
    for await (const piece of body) size += piece.length;
    return size;
  }

  /** Sends 1 MiB pieces, as fast as they are taken. */
  const endless =
    (pieces: number, sent: { count: number }): RequestListener =>
    async (_request, response) => {
      for (; sent.count < pieces && !response.destroyed; sent.count += 1)
        if (!response.write(Buffer.alloc(1_048_576))) await once(response, "drain").catch(() => undefined);
      response.end();
    };

  it("hands on more than a gathered answer may hold, at the reader's pace", async () => {
    const sent = { count: 0 };
    const server = await serve((...given) => void endless(40, sent)(...given));
    const { status, body } = await ask(streamTo(server), `${originOf(server)}/large`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([status, sent.count < 30]).to.deep.equal([200, true]);
    expect(await sizeOf(body)).to.equal(40 * 1_048_576);
  });

  it("does not unpack what comes", async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("raw"),
    );
    const answer = await ask(streamTo(server), originOf(server));
    expect([answer.header("Content-Encoding"), await answer.text()]).to.deep.equal(["gzip", "raw"]);
  });

  it("CVE-2025-51471: takes a range along to another host, and no key", async () => {
    let seen: IncomingHttpHeaders = {};
    const second = await serve(({ headers }, response) => {
      seen = headers;
      response.writeHead(206, { etag: '"x"' }).end("rest");
    });
    const first = await serve((_, response) =>
      response.writeHead(302, { location: `${originOf(second)}/file` }).end(),
    );
    const headers = {
      Authorization: "Bearer key",
      Cookie: "a=b",
      Range: "bytes=5-",
      "If-Range": '"x"',
      "X-Own": "1",
    };
    const answer = await ask(streamTo(first, second), originOf(first), { headers });
    expect([answer.status, await answer.text()]).to.deep.equal([206, "rest"]);
    expect(seen).to.include({ range: "bytes=5-", "if-range": '"x"' });
    expect([seen.authorization, seen.cookie, seen["x-own"]]).to.deep.equal([undefined, undefined, undefined]);
  });

  it("reaches no private address that the operator did not name, by no redirect either", async () => {
    const canary = await serve((_, response) => response.end("secret"));
    const first = await serve(({ url }, response) =>
      response.writeHead(302, { location: decodeURIComponent(url!.slice(2)) }).end(),
    );
    const stream = streamTo(first);
    expect(await codeOf(ask(stream, originOf(canary)))).to.equal("permission_denied");
    for (const target of [
      originOf(canary),
      `http://localhost:${canary.port}`,
      `http://[::1]:${canary.port}/`,
      "http://169.254.169.254/",
    ])
      expect(await codeOf(ask(stream, `${originOf(first)}/?${encodeURIComponent(target)}`)), target).to.equal(
        "permission_denied",
      );
    expect(canary.connections()).to.equal(0);
  });

  it("tells a connection that broke off from an end", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 50);
    });
    const { body } = await ask(streamTo(server), originOf(server));
    expect(await codeOf(sizeOf(body))).to.equal("network_error");
  });

  it("gives up on a source that falls silent, before its headers and after", async () => {
    const server = await serve(({ url }, response) => void (url === "/begun" && response.write("x")));
    const patience = { timeoutSeconds: 0.2, idleTimeoutSeconds: 0.2 };
    expect(await codeOf(ask(streamTo(server), `${originOf(server)}/`, patience))).to.equal("timeout");
    const { body } = await ask(streamTo(server), `${originOf(server)}/begun`, patience);
    expect(await codeOf(sizeOf(body))).to.equal("timeout");
  });

  it("ends the connection when the signal aborts, when the reader leaves, and at the end", async () => {
    const server = await serve((...given) => void endless(1000, { count: 0 })(...given));
    const stream = streamTo(server);
    for (const end of ["abort", "leave"] as const) {
      const own = new AbortController();
      const { body } = await stream(originOf(server), { signal: own.signal });
      const reading = (async () => {
        for await (const _ of body) if (end === "leave") return "left";
        return "read";
      })();
      if (end === "abort") setTimeout(() => own.abort(), 50);
      expect(await reading.catch(() => "aborted")).to.equal(end === "abort" ? "aborted" : "left");
    }
    const unread = new AbortController();
    await stream(originOf(server), { signal: unread.signal });
    unread.abort();
    for (let tries = 0; (await server.open()) > 0 && tries < 40; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 25));
    expect(await server.open()).to.equal(0);
  });
});
