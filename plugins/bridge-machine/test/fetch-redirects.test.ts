import { expect } from "chai";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { MockAgent } from "undici";
import { createFetch, followAll, type Hop } from "../fetch.ts";
import { codeOf } from "./folders.ts";
import { serve, stopServers } from "./servers.ts";
import { FetchScene, forms } from "./fetch-scene.ts";

describe("createFetch", () => {
  let scene: FetchScene;
  beforeEach(() => {
    scene = new FetchScene();
  });
  afterEach(stopServers);

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
          const outcome = await codeOf(scene.get(chain(length, target.trim()), { timeoutSeconds: 5 }, "/0"));
          expect(outcome, `${length} × ${target}`).to.be.oneOf(["permission_denied", "invalid_value"]);
        }
      }
      for (const target of ["file:///etc/passwd", "ftp://example.com/", "http://user:pass@example.com/"]) {
        expect(await codeOf(scene.get(chain(1, target), {}, "/0")), target).to.equal("invalid_value");
      }
      expect(canary.connections()).to.equal(0);
    }).timeout(30_000);

    it("follows five and no more", async () => {
      const response = await scene.get(chain(5, "/5"), {}, "/0");
      expect([response.status, await response.text(), new URL(response.url).pathname]).to.deep.equal([
        200,
        "/5",
        "/5",
      ]);
      expect(await codeOf(scene.get(chain(6, "/6"), {}, "/0"))).to.equal("network_error");
      expect(
        await codeOf(scene.get((_request, answer) => answer.writeHead(302, { location: "/" }).end())),
      ).to.equal("network_error");
    });

    it("hands on an answer that redirects nowhere", async () => {
      expect((await scene.get((_request, response) => response.writeHead(302).end("x"))).status).to.equal(
        302,
      );
      expect(
        (await scene.get((_request, response) => response.writeHead(304, { location: "/x" }).end())).status,
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
      const fetch = createFetch(scene.optionsFor(first, other));
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
      await followAll(first, agent, { ...scene.optionsFor(), privateHosts: () => ["nas"] });
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
        expect(
          await (await scene.get(listener, { method: "post", body: "b" })).text(),
          String(status),
        ).to.equal(expected);
      }
    });

    it("keeps no cookies between hops and calls", async () => {
      const listener: RequestListener = ({ headers, url }, response) => {
        response
          .writeHead(url === "/" ? 302 : 200, { "set-cookie": "a=b", location: "/to" })
          .end(headers.cookie ?? "none");
      };
      expect(await (await scene.get(listener)).text()).to.equal("none");
    });
  });
});
