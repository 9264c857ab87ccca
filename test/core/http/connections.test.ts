import { once } from "node:events";
import net from "node:net";
import { expect } from "chai";
import { AppError, type Route, type ServerEvent } from "@pergola/sdk";
import { promised } from "../../support/promised.ts";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes } from "./open-door.ts";

const get: Route = { method: "GET", path: "/a", summary: "", handle: () => ({ body: 1 }) };
const post: Route = { method: "POST", path: "/a", summary: "", handle: () => ({ body: 2 }) };

describe("listening", () => {
  afterEach(closeDoors);

  it("says which port is taken, and how to choose another one", async () => {
    const { port } = await openDoor([get]);
    const { http } = await openDoor([get]);
    await http.close(0);
    const error = await http.listen({ host: "127.0.0.1", port }).then(String, (cause: unknown) => cause);
    expect(AppError.is(error)).to.equal(true);
    expect((error as AppError).message)
      .to.include(`Port ${port} on 127.0.0.1 is taken`)
      .and.include("--port");
    expect((error as AppError).cause).to.have.property("code", "EADDRINUSE");
  });

  it("says so too when the address is not of this computer", async () => {
    const { http } = await openDoor([get]);
    await http.close(0);
    const error = await http.listen({ host: "192.0.2.1", port: 0 }).then(String, (cause: unknown) => cause);
    expect((error as AppError).message)
      .to.include("192.0.2.1")
      .and.include("EADDRNOTAVAIL");
  });
});

describe("connections", () => {
  afterEach(closeDoors);

  it("are limited, and free again when they close", async () => {
    const { port, url } = await openDoor([get], { limits: { maxConnections: 2 } });
    const idle = await Promise.all(
      [1, 2].map(async () => {
        const socket = net.connect(port, "127.0.0.1");
        await once(socket, "connect");
        return socket;
      }),
    );
    expect(await sendBytes(port, "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).to.equal(
      "",
    );
    for (const socket of idle) socket.destroy();
    let status = 0;
    for (let round = 0; round < 50 && status !== 200; round++)
      status = await fetch(`${url}/a`, { signal: AbortSignal.timeout(250) }).then(
        (answer) => answer.status,
        () => 0,
      );
    expect(status).to.equal(200);
  });

  it("may take longer for an answer than for a request", async () => {
    const handle: Route["handle"] = () =>
      new Promise((resolve) => setTimeout(() => resolve({ body: "late" }), 500));
    const { port } = await openDoor([{ ...post, handle }], {
      limits: { headersTimeout: 100, requestTimeout: 150 },
    });
    const answer = await sendBytes(
      port,
      "POST /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
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

  it("lets answers end, and streams too", async () => {
    const [asked, go] = [promised(), promised()];
    async function* events(): AsyncGenerator<ServerEvent> {
      yield { data: "begun" };
      asked.keep();
      await go.promise;
      yield { data: "ended" };
    }
    const { url, http } = await openDoor([{ ...get, handle: () => ({ events: events() }) }]);
    const answer = await fetch(`${url}/a`);
    await asked.promise;
    const closed = http.close();
    expect(await fetch(`${url}/a`).then(String, () => "refused")).to.equal("refused");
    go.keep();
    expect(await answer.text()).to.equal("data: begun\n\ndata: ended\n\n");
    await closed;
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
