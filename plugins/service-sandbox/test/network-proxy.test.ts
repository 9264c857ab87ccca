import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type LookupFunction, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { createDial } from "../dial.ts";
import { createProxy, type ProxyRules } from "../network-proxy.ts";

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Knows the given names only; the answers of a name come one after the other. */
const namesOf =
  (names: Readonly<Record<string, string[]>>): LookupFunction =>
  (host, _options, done) => {
    const address = names[host]?.shift();
    if (address === undefined) done(Object.assign(new Error(`no ${host}`), { code: "ENOTFOUND" }), []);
    else done(null, [{ address, family: 4 }]);
  };

describe("the proxy of sandboxed programs", () => {
  const started: Server[] = [];
  afterEach(async () => {
    for (const server of started.splice(0)) {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    }
  });
  const serve = async (server: Server): Promise<Server> => {
    started.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return server;
  };
  const proxyTo = async (rules: Partial<ProxyRules> = {}, names: Record<string, string[]> = {}) =>
    serve(
      createProxy({
        hosts: "public",
        dial: createDial({ privateHosts: [], lookup: namesOf(names) }),
        ...rules,
      }),
    );
  /** Goes where a test says, since no test has a public host. */
  const straightTo =
    (server: Server, met: string[] = []) =>
    async (host: string, port: number): Promise<Socket> => {
      met.push(`${host}:${port}`);
      const socket = connect(portOf(server), "127.0.0.1");
      await once(socket, "connect");
      return socket;
    };
  const get = async (proxy: Server, path: string, headers: Record<string, string> = {}) => {
    const asked = request({ host: "127.0.0.1", port: portOf(proxy), path, headers }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  const tunnel = async (proxy: Server, path: string) => {
    const asked = request({ host: "127.0.0.1", port: portOf(proxy), method: "CONNECT", path }).end();
    const [answer, socket] = (await once(asked, "connect")) as [{ statusCode: number }, Socket];
    return { status: answer.statusCode, socket };
  };

  it("passes requests on, with the host of the address and without the headers of the proxy", async () => {
    const target = await serve(
      createServer((asked, answer) => answer.end(JSON.stringify({ url: asked.url, headers: asked.headers }))),
    );
    const met: string[] = [];
    const proxy = await proxyTo({ dial: straightTo(target, met) });
    const { status, body } = await get(proxy, "http://example.test:8000/a?b=c", {
      host: "other.test",
      "proxy-authorization": "Basic eDp5",
      connection: "x-hop",
      "x-hop": "1",
      "x-own": "2",
    });
    expect(status).to.equal(200);
    const seen = JSON.parse(body) as { url: string; headers: Record<string, string> };
    expect(seen.url).to.equal("/a?b=c");
    expect(seen.headers).to.include({ host: "example.test:8000", "x-own": "2" });
    expect(seen.headers).to.not.have.any.keys("proxy-authorization", "x-hop");
    expect(met).to.deep.equal(["example.test:8000"]);
  });

  it("tunnels everything else, in both directions", async () => {
    const target = await serve(createServer((_asked, answer) => answer.end("through")));
    const { status, socket } = await tunnel(await proxyTo({ dial: straightTo(target) }), "example.test:443");
    expect(status).to.equal(200);
    socket.end("GET / HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).to.include("through");
  });

  it("dials nothing that is not public, in whatever form it is written", async () => {
    let met = 0;
    const canary = await serve(createServer((_asked, answer) => answer.end("canary")));
    canary.on("connection", () => (met += 1));
    const proxy = await proxyTo(
      {},
      { localhost: ["127.0.0.1"], "rebound.test": ["127.0.0.1"], "2130706433": ["127.0.0.1"] },
    );
    const port = portOf(canary);
    const hosts = [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "[::ffff:127.0.0.1]",
      "[::1]",
      "0.0.0.0",
      "rebound.test",
      "10.0.0.1",
      "169.254.169.254",
    ];
    for (const host of hosts) {
      const answer = await get(proxy, `http://${host}:${port}/`);
      expect([answer.status, answer.body], host).to.deep.equal([403, answer.body]);
      expect((await tunnel(proxy, `${host}:${port}`)).status, host).to.equal(403);
    }
    expect(met).to.equal(0);
  });

  it("judges a name anew each time and dials what it judged", async () => {
    const canary = await serve(createServer((_asked, answer) => answer.end("canary")));
    const names = { "rebound.test": ["203.0.113.1", "127.0.0.1"] };
    const dial = createDial({ privateHosts: ["listed.test"], lookup: namesOf(names) });
    for (const _time of [1, 2])
      expect(
        await dial("rebound.test", portOf(canary)).catch((error: { code: string }) => error.code),
      ).to.equal("permission_denied");
  });

  it("reaches a private host that is listed, but never this service", async () => {
    const own = await serve(createServer((_asked, answer) => answer.end("own")));
    const dial = createDial({
      privateHosts: ["127.0.0.1", `listed.test:${portOf(own)}`],
      lookup: namesOf({ "listed.test": ["127.0.0.1"] }),
    });
    for (const host of ["127.0.0.1", "listed.test"])
      expect(await dial(host, portOf(own)).catch((error: { code: string }) => error.code), host).to.equal(
        "permission_denied",
      );
    const { spawn } = await import("node:child_process");
    const code =
      "const s=require('http').createServer((q,a)=>a.end('other')).listen(0,'127.0.0.1',()=>console.log(s.address().port))";
    const other = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [line] = (await once(other.stdout, "data")) as [Buffer];
      const socket = await dial("127.0.0.1", Number(line));
      expect(socket.remotePort).to.equal(Number(line));
      socket.destroy();
    } finally {
      other.kill("SIGKILL");
      await once(other, "exit");
    }
  });

  it("keeps to the hosts of a list", async () => {
    const target = await serve(createServer((_asked, answer) => answer.end("ok")));
    const hosts = ["one.test", "*.two.test", "three.test:8443"];
    const proxy = await proxyTo({ hosts, dial: straightTo(target) });
    const status = async (authority: string): Promise<number> => {
      const { status: code, socket } = await tunnel(proxy, authority);
      socket.destroy();
      return code;
    };
    for (const open of ["one.test:443", "ONE.test:22", "a.two.test:443", "three.test:8443"])
      expect(await status(open), open).to.equal(200);
    for (const closed of [
      "two.test:443",
      "xone.test:443",
      "one.test.evil:443",
      "three.test:443",
      "one.test@evil.test:443",
    ])
      expect(await status(closed), closed).to.be.oneOf([400, 403]);
  });

  it("answers what is no request to a proxy", async () => {
    const proxy = await proxyTo();
    for (const path of ["/", "ftp://example.test/", "https://example.test/", "*"])
      expect((await get(proxy, path)).status, path).to.equal(400);
  });
});
