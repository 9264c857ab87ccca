import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import net from "node:net";
import { expect } from "chai";
import { AppError, type Route, type ServerEvent } from "@pergola/sdk";
import { hasIPv6 } from "../../support/has-ipv6.ts";
import { promised } from "../../support/promised.ts";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes, sendTo } from "./open-door.ts";

const get: Route = { method: "GET", path: "/a", scope: "read", summary: "", handle: () => ({ body: 1 }) };
const post: Route = { method: "POST", path: "/a", scope: "read", summary: "", handle: () => ({ body: 2 }) };
const health: Route = { ...get, path: "/pulse", scope: "open", handle: () => ({ body: "ok" }) };

/** How many connections the system lets wait at most, whatever a program asks for. */
const systemBacklog = (): number => Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));

describe("listening", () => {
  afterEach(closeDoors);

  it("says which port is taken, and how to choose another one", async () => {
    const { port } = await openDoor([get]);
    const { http } = await openDoor([get]);
    await http.close(0);
    const error = await http
      .listen({ plain: [{ host: "127.0.0.1", port }] })
      .then(String, (cause: unknown) => cause);
    expect(AppError.is(error)).to.equal(true);
    expect((error as AppError).message)
      .to.include(`Port ${port} on 127.0.0.1 is taken`)
      .and.include("--port");
    expect((error as AppError).cause).to.have.property("code", "EADDRINUSE");
  });

  it("says so too when the address is not of this computer", async () => {
    const { http } = await openDoor([get]);
    await http.close(0);
    const error = await http
      .listen({ plain: [{ host: "192.0.2.1", port: 0 }] })
      .then(String, (cause: unknown) => cause);
    expect((error as AppError).message)
      .to.include("192.0.2.1")
      .and.include("EADDRNOTAVAIL");
  });

  it("lets 1,500 connections wait while the event loop is busy (F19)", async () => {
    const { port } = await openDoor([get]);
    const clients = `let open = 0;
      for (let n = 0; n < 1500; n++) require("net").connect(${port}, "127.0.0.1").on("connect", () => open++);
      setTimeout(() => { console.log(open); process.exit(); }, 900);`;
    // It blocks this event loop, which is the server's.
    const { stdout } = spawnSync(process.execPath, ["-e", clients], { encoding: "utf8" });
    expect(Number(stdout)).to.be.at.least(Math.min(1500, systemBacklog()));
  });
});

describe("listening on both loopback addresses (S22)", () => {
  afterEach(closeDoors);
  before(function () {
    if (!hasIPv6()) this.skip();
  });

  const ask = (host: string, port: number, headers: string) =>
    sendTo(host, port, `GET /a HTTP/1.1\r\nConnection: close\r\n${headers}\r\n`);
  const names = ["127.0.0.1", "[::1]", "localhost"];

  it("S22: serves 127.0.0.1 and ::1 on one port, by all its names", async () => {
    const { port, logged } = await openDoor([get]);
    for (const address of ["127.0.0.1", "::1"]) {
      for (const name of names) {
        const headers = `Host: ${name}:${port}\r\nOrigin: http://${name}:${port}\r\n`;
        expect([address, name, await ask(address, port, headers)]).to.deep.equal([address, name, 200]);
      }
    }
    expect(logged).to.deep.equal([]);
  });

  it("S22: so it does when ::1 is the address to listen on", async () => {
    const { port } = await openDoor([get], { host: "::1" });
    for (const address of ["127.0.0.1", "::1"])
      expect(await ask(address, port, `Host: localhost:${port}\r\n`)).to.equal(200);
  });

  it("S22: where ::1 is another program's, says so, and trusts localhost and [::1] no more", async () => {
    const stranger = net.createServer().listen(0, "::1");
    await once(stranger, "listening");
    const { port } = stranger.address() as net.AddressInfo;
    const { logged, http } = await openDoor([get], { port });
    for (const name of names) {
      const expected = name === "127.0.0.1" ? 200 : 403;
      expect([name, await ask("127.0.0.1", port, `Host: ${name}:${port}\r\n`)]).to.deep.equal([
        name,
        expected,
      ]);
      const headers = `Host: 127.0.0.1\r\nOrigin: http://${name}:${port}\r\n`;
      expect([name, await ask("127.0.0.1", port, headers)]).to.deep.equal([name, expected]);
    }
    expect(logged[0]?.message).to.include(`[::1]:${port}`).and.include(`http://127.0.0.1:${port}`);
    await Promise.all([http.close(0), new Promise((resolve) => stranger.close(resolve))]);
  });

  it("S22: closes both", async () => {
    const { port, http } = await openDoor([get]);
    await http.close(0);
    for (const address of ["127.0.0.1", "::1"])
      expect(await ask(address, port, "Host: localhost\r\n")).to.equal(0);
  });
});

describe("connections", () => {
  afterEach(closeDoors);

  const request = "GET /a HTTP/1.1\r\nHost: localhost\r\n";

  const connectAnd = async (port: number, text: string): Promise<net.Socket> => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    if (text !== "") await new Promise((resolve) => socket.write(text, resolve));
    return socket;
  };

  it("R8: when there are too many, the one goes that has waited longest for its header", async () => {
    const { port } = await openDoor([get], { limits: { maxConnections: 3 } });
    const half: net.Socket[] = [];
    for (const text of ["", "GET /a HTT", `${request}X-Slow: `]) half.push(await connectAnd(port, text));
    const [first, second, third] = half.map((socket) => once(socket.resume(), "close"));
    expect(readAnswer(await sendBytes(port, `${request}Connection: close\r\n\r\n`)).status).to.equal(200);
    await first;
    const others = await Promise.all([connectAnd(port, request), connectAnd(port, request)]);
    await second;
    others.push(await connectAnd(port, request));
    await third;
    expect(others.map(({ destroyed }) => destroyed)).to.deep.equal([false, false, false]);
    for (const socket of others) socket.destroy();
  });

  it("R8: hundreds that never finish a header keep nobody out", async () => {
    const { port, url } = await openDoor([get], { limits: { maxConnections: 50 } });
    const half = await Promise.all(Array.from({ length: 300 }, () => connectAnd(port, "GET /a HTT")));
    const statuses: number[] = [];
    for (let round = 0; round < 20; round++)
      statuses.push((await fetch(`${url}/a`, { headers: { connection: "close" } })).status);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    for (const socket of half) socket.destroy();
  });

  it("R8: those that wait for an answer stay, and keep new ones out while there is no other", async () => {
    const [asked, go] = [promised(), promised()];
    let count = 0;
    const handle: Route["handle"] = async () => {
      if (++count === 2) asked.keep();
      await go.promise;
      return { body: "done" };
    };
    const { port } = await openDoor([{ ...get, handle }], { limits: { maxConnections: 2 } });
    const whole = `${request}Connection: close\r\n\r\n`;
    const answers = [sendBytes(port, whole), sendBytes(port, whole)];
    await asked.promise;
    expect(await sendBytes(port, whole)).to.equal("");
    go.keep();
    for (const answer of await Promise.all(answers)) expect(readAnswer(answer).body).to.equal('"done"');
    expect(readAnswer(await sendBytes(port, whole)).status).to.equal(200);
  });

  it("may take longer for an answer than for a request", async () => {
    const handle: Route["handle"] = () =>
      new Promise((resolve) => setTimeout(() => resolve({ body: "late" }), 500));
    const { port } = await openDoor([{ ...post, handle }], {
      limits: { headersTimeout: 100, requestTimeout: 150 },
    });
    const answer = await sendBytes(
      port,
      "POST /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n" +
        "Content-Length: 2\r\n\r\n{}",
    );
    expect(readAnswer(answer)).to.include({ status: 200, body: '"late"' });
  });
});

describe("stopping", () => {
  afterEach(closeDoors);

  it("closes idle connections at once", async () => {
    const { port, http } = await openDoor([get]);
    const socket = net.connect(port, "127.0.0.1");
    socket.write("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    const closed = once(socket, "close");
    const start = performance.now();
    await http.close();
    await closed;
    expect(performance.now() - start).to.be.below(1000);
  });

  it("closes connections over which nothing was asked at once", async () => {
    const { port, http } = await openDoor([get]);
    const socket = net.connect(port, "127.0.0.1");
    await once(socket, "connect");
    const start = performance.now();
    await Promise.all([http.close(), once(socket.resume(), "close")]);
    expect(performance.now() - start).to.be.below(1000);
  });

  it("R9: lets answers and streams end, and tells new clients meanwhile that it stops", async () => {
    const [asked, go] = [promised(), promised()];
    async function* events(): AsyncGenerator<ServerEvent> {
      yield { data: "begun" };
      asked.keep();
      await go.promise;
      yield { data: "ended" };
    }
    let stopping = false;
    const { url, http } = await openDoor([{ ...get, handle: () => ({ events: events() }) }, post, health], {
      stopping: () => stopping,
    });
    const answer = await fetch(`${url}/a`);
    await asked.promise;
    stopping = true;
    const closed = http.close();
    for (let round = 0; round < 3; round++) {
      const refused = await fetch(`${url}/a`, { method: "POST" });
      expect([refused.status, errorIn(await refused.text()).code]).to.deep.equal([503, "shutting_down"]);
      expect((await fetch(`${url}/pulse`)).status).to.equal(200);
    }
    go.keep();
    expect(await answer.text()).to.equal("data: begun\n\ndata: ended\n\n");
    await closed;
    expect(await fetch(`${url}/pulse`).then(String, () => "refused")).to.equal("refused");
  });

  it("R9: once all work is drained, only open routes answer, until the port is closed", async () => {
    const { url, http } = await openDoor([get, post, health], { stopping: () => true });
    await http.drain(5000);
    for (const [path, method] of [
      ["/a", "GET"],
      ["/a", "POST"],
      ["/nothing", "GET"],
      ["/pulse", "POST"],
    ] as const) {
      const refused = await fetch(url + path, { method });
      expect([refused.status, errorIn(await refused.text()).code]).to.deep.equal([503, "shutting_down"]);
      expect(Number(refused.headers.get("retry-after"))).to.be.above(0);
    }
    expect((await fetch(`${url}/pulse`)).status).to.equal(200);
    await http.close();
    expect(await fetch(`${url}/pulse`).then(String, () => "refused")).to.equal("refused");
  });

  it("ends by force what does not end in time", async () => {
    const asked = promised();
    const { port, http } = await openDoor([
      { ...get, handle: () => (asked.keep(), new Promise<never>(() => {})) },
    ]);
    const answer = sendBytes(port, "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await asked.promise;
    await http.close(50);
    expect(await answer).to.equal("");
  });

  it("begins nothing new meanwhile; reading goes on, once for each connection", async () => {
    let stopping = false;
    const { port } = await openDoor([get, post], { stopping: () => stopping });
    stopping = true;
    const host = "Host: localhost\r\n\r\n";
    const refused = readAnswer(await sendBytes(port, `POST /a HTTP/1.1\r\n${host}`));
    expect(refused.status).to.equal(503);
    expect(refused.head).to.match(/^Retry-After: \d+$/m);
    expect(errorIn(refused.body)).to.include({ code: "shutting_down", type: "server_error" });
    for (const method of ["GET", "HEAD"]) {
      const read = readAnswer(await sendBytes(port, `${method} /a HTTP/1.1\r\n${host}`));
      expect(read.status).to.equal(200);
      expect(read.head).to.match(/^Connection: close$/m);
    }
  });
});
