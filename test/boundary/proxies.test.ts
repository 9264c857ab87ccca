import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { peerOf, type Peer } from "../../core/http/peer.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";

type Headers = Readonly<Record<string, string>>;

const forwarding: readonly Headers[] = [
  { forwarded: "for=127.0.0.1" },
  { "x-forwarded-for": "127.0.0.1" },
  { "x-forwarded-host": "localhost" },
  { "x-forwarded-proto": "http" },
  { "x-forwarded-anything": "1" },
  { "x-real-ip": "127.0.0.1" },
  { via: "1.1 proxy" },
  { "cf-connecting-ip": "127.0.0.1" },
];

describe("what came through a proxy", function () {
  this.timeout(60_000);

  describe("is remote, whatever it says", () => {
    let server: Server;
    let trustedProxies: readonly string[] = [];
    before(async () => {
      server = createServer((incoming, answer) => {
        void peerOf(incoming, { trustedProxies, needsAccount: true }).then(
          (peer) => answer.end(JSON.stringify(peer)),
          (error: unknown) => answer.writeHead(400).end(AppError.is(error) ? error.code : "bug"),
        );
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
    });
    after(() => server.close());

    const send = async (headers: Headers, proxies: readonly string[] = []): Promise<[number, string]> => {
      trustedProxies = proxies;
      const { port } = server.address() as AddressInfo;
      const outgoing = request({ host: "127.0.0.1", port, headers, agent: false }).end();
      const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
      let text = "";
      for await (const piece of answer) text += String(piece);
      return [answer.statusCode ?? 0, text];
    };
    const peer = async (headers: Headers, proxies: readonly string[] = []): Promise<Peer> =>
      JSON.parse((await send(headers, proxies))[1]) as Peer;

    it("X45 a request without any such header is local", async () => {
      expect(await peer({})).to.deep.include({
        address: "127.0.0.1",
        place: "127.0.0.1",
        local: true,
        secure: false,
      });
    });

    it("X45 headers from a peer that is not trusted: remote, and nothing of them is taken", async () => {
      for (const headers of forwarding) {
        const found = await peer({ ...headers, "x-forwarded-proto": "https" });
        expect(found, JSON.stringify(headers)).to.deep.equal({
          address: "127.0.0.1",
          place: "127.0.0.1",
          local: false,
          secure: false,
          sameUser: false,
        });
      }
    });

    it("X45 of a trusted proxy the rightmost address that is not trusted counts, not the spoofed left part", async () => {
      const proxies = ["127.0.0.1", "10.0.0.0/8", "2001:db8:a::/48"];
      const spoofed = Array.from({ length: 100 }, () => "127.0.0.1").join(", ");
      const rows: readonly (readonly [Headers, string])[] = [
        [{ "x-forwarded-for": "203.0.113.9" }, "203.0.113.9"],
        [{ "x-forwarded-for": "127.0.0.1, 203.0.113.9" }, "203.0.113.9"],
        [{ "x-forwarded-for": `${spoofed}, 203.0.113.9, 10.1.2.3, 127.0.0.1` }, "203.0.113.9"],
        [{ "x-forwarded-for": "198.51.100.1, 203.0.113.9:4711" }, "203.0.113.9"],
        [{ "x-forwarded-for": "::ffff:203.0.113.9" }, "203.0.113.9"],
        [{ "x-forwarded-for": "2001:DB8:1:2:0:0:0:5, 2001:db8:a::1" }, "2001:db8:1:2::5"],
        [
          { forwarded: `for=127.0.0.1, for="[2001:db8:1:2::5]:80";proto=https;by=10.0.0.1` },
          "2001:db8:1:2::5",
        ],
        [{ forwarded: "For=203.0.113.9 ; proto=http" }, "203.0.113.9"],
      ];
      for (const [headers, address] of rows) {
        const found = await peer(headers, proxies);
        expect([found.address, found.local, found.sameUser], JSON.stringify(headers)).to.deep.equal([
          address,
          false,
          false,
        ]);
      }
    });

    it("X45 where every hop is trusted, or a proxy wrote garbage, the request is remote all the same", async () => {
      const proxies = ["127.0.0.1", "10.0.0.0/8"];
      const rows: readonly (readonly [string, string])[] = [
        ["127.0.0.1", "127.0.0.1"],
        ["10.0.0.7, 10.0.0.8", "10.0.0.7"],
        ["203.0.113.9, unknown", "127.0.0.1"],
        ["203.0.113.9, _hidden, 10.0.0.8", "10.0.0.8"],
        ["203.0.113.9, 2130706433", "127.0.0.1"],
        ["203.0.113.9, 0x7f.1", "127.0.0.1"],
        ["203.0.113.9, ", "127.0.0.1"],
        [",,,", "127.0.0.1"],
      ];
      for (const [list, address] of rows) {
        const found = await peer({ "x-forwarded-for": list }, proxies);
        expect([list, found.address, found.local]).to.deep.equal([list, address, false]);
      }
    });

    it("X45 two headers that name two clients are refused; two that agree are not", async () => {
      const both = { "x-forwarded-for": "203.0.113.9", forwarded: "for=198.51.100.1" };
      expect(await send(both, ["127.0.0.1"])).to.deep.equal([400, "invalid_value"]);
      expect((await send({ ...both, forwarded: "for=203.0.113.9" }, ["127.0.0.1"]))[0]).to.equal(200);
    });

    it("X45 the scheme counts as the nearest proxy has seen it", async () => {
      const trusted = ["127.0.0.1"];
      const secure = async (headers: Headers): Promise<boolean> =>
        (await peer({ "x-forwarded-for": "203.0.113.9", ...headers }, trusted)).secure;
      expect(await secure({ "x-forwarded-proto": "https" })).to.equal(true);
      expect(await secure({ "x-forwarded-proto": "https, http" })).to.equal(false);
      expect((await peer({ forwarded: "for=203.0.113.9;proto=https" }, trusted)).secure).to.equal(true);
    });

    it("X45 an IPv6 client counts with its whole network", async () => {
      const place = async (address: string): Promise<string> =>
        (await peer({ "x-forwarded-for": address }, ["127.0.0.1"])).place;
      expect(await place("2001:db8:1:2:3:4:5:6")).to.equal("2001:db8:1:2::/64");
      expect(await place("2001:db8:1:2::7")).to.equal("2001:db8:1:2::/64");
      expect(await place("::ffff:192.0.2.1")).to.equal("192.0.2.1");
    });
  });

  describe("to a real service", () => {
    let project: Project;
    before(async () => {
      project = await openProject();
    });
    after(() => project.close());

    it("X46 a proxy on loopback in trusted_proxies, the client from elsewhere, no token: never the owner", async () => {
      const [port, proxyPort] = [await freePort(), await freePort()];
      project.settings({ server: { trusted_proxies: ["127.0.0.1"], allowed_hosts: ["public.example"] } });
      await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
      const proxy = createServer((incoming, answer) => {
        const headers = {
          ...incoming.headers,
          "x-forwarded-for": "203.0.113.9",
          "x-forwarded-proto": "https",
        };
        const passed = request(
          { host: "127.0.0.1", port, path: incoming.url, method: incoming.method, headers },
          (back) => back.pipe(answer.writeHead(back.statusCode ?? 0, back.headers)),
        );
        incoming.pipe(passed);
      }).listen(proxyPort, "127.0.0.1");
      await once(proxy, "listening");
      const marker = `${project.folder}/marker`;
      const ask = (path: string, body?: object) =>
        fetch(`http://127.0.0.1:${proxyPort}${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { "content-type": "application/json", connection: "close" },
          ...(body && { body: JSON.stringify(body) }),
        });
      const run = {
        tool: "file_operations",
        arguments: { operation: "create_file", filePath: marker, content: "x" },
        isUserInitiated: true,
      };
      expect((await ask("/health")).status, "the proxy leads to the service").to.equal(200);
      const statuses = await Promise.all(
        [ask("/api/models"), ask("/api/approvals"), ask("/debug/mcp/execute", run)].map(
          async (one) => (await one).status,
        ),
      );
      proxy.close();
      expect(statuses).to.deep.equal([401, 401, 401]);
      expect(existsSync(marker)).to.equal(false);
      const own = await fetch(`http://127.0.0.1:${port}/api/models`);
      expect(own.status, "the owner without the proxy").to.equal(200);
      const same = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(run),
      };
      await fetch(`http://127.0.0.1:${port}/debug/mcp/execute`, same);
      expect(existsSync(marker), "the same call of the owner").to.equal(true);
    });
  });
});
