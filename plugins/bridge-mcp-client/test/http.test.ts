import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { toolContext } from "@pergola/sdk/testing";
import { collect, namesOf, stopAll } from "./collect.ts";

describe("an MCP server behind an address", () => {
  let child: ChildProcess;
  let url: string;
  const listening: Server[] = [];
  before(async () => {
    child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, "servers", "sample-server.mjs"), "http"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [port] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    url = `http://127.0.0.1:${port.toString().trim()}/mcp`;
  });
  afterEach(async () => {
    await stopAll();
    for (const server of listening.splice(0)) server.close().closeAllConnections();
  });
  after(() => child.kill("SIGKILL"));

  const named = (more: object = {}) => ({ remote: { url, token: "open sesame", ...more } });
  async function listen(handler: RequestListener): Promise<string> {
    const server = createServer(handler);
    listening.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  it("offers its tools and takes calls, with progress, questions and cancels", async () => {
    const host = await collect(named());
    expect(namesOf(host, "mcp_remote")).to.include("add_numbers");
    expect((await host.run("mcp_remote", "add_numbers", { a: 2, b: 2 })).data).to.equal("sum 4");
    const context = toolContext({ answers: ["small", "no"] });
    await host.run("mcp_remote", "count", {}, context);
    expect(context.progressed.at(-1)).to.equal("3 of 3 counting");
    expect(await host.json("mcp_remote", "order", {}, context)).to.deep.equal({
      action: "accept",
      content: { size: "small", gift: false },
    });
    const late = await host.failure(
      "mcp_remote",
      "sleep",
      {},
      toolContext({ signal: AbortSignal.timeout(200) }),
    );
    expect(late.code).to.equal("cancelled");
  });

  it("gets the trace of a call in its message and in a header", async () => {
    const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const host = await collect(named());
    const told = await host.json("mcp_remote", "environment", {}, toolContext({ trace }));
    expect(told).to.have.nested.property("meta.traceparent", trace);
    expect(told).to.have.nested.property("headers.traceparent", trace);
    const without = await host.json("mcp_remote", "environment");
    expect(without).to.have.property("headers").that.does.not.have.property("traceparent");
  });

  it("is greeted anew when it has forgotten the session", async () => {
    const host = await collect(named());
    await host.run("mcp_remote", "add_numbers", { a: 1, b: 1 });
    child.kill("SIGUSR2");
    expect((await host.run("mcp_remote", "add_numbers", { a: 1, b: 2 })).data).to.equal("sum 3");
  });

  it("is unavailable with the wrong token, and when nobody is there", async () => {
    const wrong = await collect({ remote: { url, token: "wrong" } });
    const nobody = await collect({ remote: { url: "http://127.0.0.1:1/mcp" } });
    for (const host of [wrong, nobody])
      expect((await host.tools.get("mcp_remote")?.unavailable?.({} as never))?.reason).to.include(
        "not reached",
      );
    expect(JSON.stringify([wrong.warnings])).not.to.include("Bearer");
  });

  it("gets no token where it would travel in clear", async () => {
    const host = await collect({ remote: { url: "http://mcp.example.com/mcp", token: "t" } });
    expect((await host.tools.get("mcp_remote")?.unavailable?.({} as never))?.reason).to.include("use https");
  });

  it("gets its token only itself: a redirect is not followed", async () => {
    const seen: string[] = [];
    const other = await listen(({ headers }, response) => {
      seen.push(JSON.stringify(headers));
      response.end();
    });
    const first = await listen((_, response) => response.writeHead(307, { location: other }).end());
    const host = await collect({ remote: { url: first, token: "open sesame" } });
    expect(host.warnings[0]).to.include("sends elsewhere");
    expect(seen).to.deep.equal([]);
  });

  for (const type of ["application/json", "text/event-stream"]) {
    it(`an endless answer of ${type} is cut`, async () => {
      const endless = await listen((_, response) => {
        response.writeHead(200, { "content-type": type });
        const piece = `data: ${"x".repeat(1024 * 1024)}`;
        const write = (): void =>
          void (response.destroyed || response.write(piece, () => setImmediate(write)));
        write();
      });
      const memory = process.memoryUsage().rss;
      const host = await collect({ remote: { url: endless } }, undefined, 3);
      expect(host.warnings[0]).to.match(/too long|not ready within|did not answer/);
      expect(process.memoryUsage().rss - memory).to.be.below(300 * 1024 * 1024);
    });
  }

  it("that never answers is given up after its time", async () => {
    const silent = await listen(() => undefined);
    const begun = performance.now();
    const host = await collect({ remote: { url: silent } }, undefined, 1);
    expect(performance.now() - begun).to.be.below(4000);
    expect(host.warnings[0]).to.match(/within 1 s/);
  });
});
