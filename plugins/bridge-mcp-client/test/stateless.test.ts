import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";
import { collect, namesOf, started, stopAll } from "./collect.ts";

const file = path.join(import.meta.dirname, "servers", "stateless-server.mjs");
const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

for (const way of ["stdio", "HTTP"] as const)
  describe(`an MCP server of the revision 2026-07-28 over ${way}`, () => {
    let child: ChildProcess | undefined;
    let server: Json = started("stateless-server.mjs");
    let stderr = "";
    beforeEach(async () => {
      if (way === "stdio") return;
      child = spawn(process.execPath, [file, "http"], { stdio: "pipe" });
      child.stderr?.on("data", (piece: Buffer) => (stderr += piece.toString()));
      const [port] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
      server = { url: `http://127.0.0.1:${port.toString().trim()}/mcp` };
    });
    afterEach(async () => {
      await stopAll();
      child?.kill("SIGKILL");
    });

    const begin = () => collect({ new: server });

    it("offers its tools and takes calls, with arguments in headers where it wants them", async () => {
      const host = await begin();
      expect(host.warnings).to.deep.equal([]);
      expect(namesOf(host, "mcp_new")).to.include.members(["echo", "order"]);
      const header = way === "HTTP" ? "hello" : "none";
      expect((await host.run("mcp_new", "echo", { word: "hello" })).data).to.equal(`hello, header ${header}`);
    });

    it("gets the trace of a call beside what every request says, and over HTTP in a header too", async () => {
      const host = await begin();
      const meta = await host.json("mcp_new", "meta", {}, toolContext({ trace }));
      expect(meta).to.include({ traceparent: trace, header: way === "HTTP" ? trace : null });
      const without = await host.json("mcp_new", "meta");
      expect(without).to.have.property("header", null);
      expect(without).to.not.have.property("traceparent");
    });

    it("has the texts of its failures and its progress handed on", async () => {
      const host = await begin();
      expect(await host.failure("mcp_new", "fail")).to.include({
        code: "generic_error",
        message: "no such ticket",
      });
      const context = toolContext();
      expect((await host.run("mcp_new", "count", {}, context)).data).to.equal("counted");
      expect(context.progressed.map((line) => line.trim())).to.deep.equal(["1 of 3", "2 of 3", "3 of 3"]);
    });

    it("asks the person in several rounds, under its name", async () => {
      const context = toolContext({ answers: ["large", "yes"] });
      expect((await (await begin()).run("mcp_new", "order", {}, context)).data).to.equal(
        "accept large, accept yes",
      );
      expect(context.questions.map(({ prompt }) => prompt)).to.deep.equal([
        'The MCP server "new" asks: Size',
        'The MCP server "new" asks: Gift',
      ]);
    });

    it("that asks without end asks the person a few times, and then the call fails", async () => {
      const host = await begin();
      const context = toolContext({ answers: Array.from({ length: 20 }, () => "yes") });
      const error = await host.failure("mcp_new", "insatiable", {}, context);
      expect(error).to.have.property("code", "generic_error");
      expect(context.questions).to.have.length(5);
      expect((await host.run("mcp_new", "echo", { word: "on" })).data).to.include("on");
    });

    it("that puts a call off without end is cut short by a cancel", async () => {
      const host = await begin();
      const context = toolContext({ signal: AbortSignal.timeout(300) });
      expect((await host.failure("mcp_new", "forever", {}, context)).code).to.equal("cancelled");
    });

    it("is told of a cancel, and goes on with other calls", async () => {
      const host = await begin();
      const context = toolContext({ signal: AbortSignal.timeout(300) });
      expect((await host.failure("mcp_new", "sleep", {}, context)).code).to.equal("cancelled");
      expect((await host.run("mcp_new", "echo", { word: "on" })).data).to.include("on");
      if (way === "HTTP") for (let left = 100; left > 0 && stderr === ""; left--) await setTimeout(20);
      if (way === "HTTP") expect(stderr).to.include("cancelled");
    });

    it("rug pull: a tool that it says it has changed is not called", async () => {
      const host = await begin();
      await host.run("mcp_new", "echo", { word: "once" });
      await host.run("mcp_new", "rename");
      let code = "";
      for (let left = 100; left > 0 && code === ""; left--) {
        await setTimeout(20);
        code = await host.run("mcp_new", "echo", { word: "x" }).then(
          () => "",
          (error: unknown) => (error as { readonly code: string }).code,
        );
      }
      expect(code).to.equal("permission_denied");
    });
  });

describe("hostile MCP servers of the revision 2026-07-28", () => {
  const listening: Server[] = [];
  afterEach(async () => {
    await stopAll();
    for (const server of listening.splice(0)) server.close().closeAllConnections();
  });

  interface Asked {
    readonly id: number;
    readonly method: string;
    readonly params: { readonly name?: string };
  }
  type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => unknown;

  const tool = { name: "work", inputSchema: { type: "object" } };
  const results: Readonly<Record<string, object>> = {
    "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
    "tools/list": { tools: [tool] },
  };
  const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  const say = (response: ServerResponse, message: object): unknown =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", ...message }));

  /** A server that is honest but where `answer` answers. */
  async function serve(answers: Readonly<Record<string, Answer>>): Promise<{ readonly bad: Json }> {
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
      const asked = JSON.parse((await text(request)) || "{}") as Asked;
      const { id, method } = asked;
      const answer = answers[method];
      if (answer !== undefined) return answer(asked, response, request);
      const result = results[method];
      if (result === undefined) return say(response, { id, error: { code: -32601, message: "unknown" } });
      return say(response, { id, result: { ...complete, ...result } });
    };
    const server = createServer((request, response) => void take(request, response));
    listening.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { bad: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` } };
  }
  const called = async (answer: Answer) => {
    const host = await collect(await serve({ "tools/call": answer }));
    expect(host.warnings).to.deep.equal([]);
    return host.failure("mcp_bad", "work");
  };

  for (const [title, supportedVersions] of [
    ["a version that nobody knows", ["2099-01-01"]],
    ["no version", []],
  ] as const)
    it(`that offers ${title} cannot be used, and the start goes on`, async () => {
      const discover: Answer = ({ id }, response) =>
        say(response, { id, result: { ...complete, supportedVersions, capabilities: {} } });
      const host = await collect(await serve({ "server/discover": discover }));
      expect(host.warnings[0]).to.include("cannot be used");
      expect(namesOf(host, "mcp_bad")).to.deep.equal([]);
    });

  it("that sends a huge answer is cut", async () => {
    const error = await called(({ id }, response) =>
      say(response, {
        id,
        result: { ...complete, content: [{ type: "text", text: "x".repeat(20 * 2 ** 20) }] },
      }),
    );
    expect(error.code).to.equal("network_error");
    expect(error.message).to.include("too long");
  });

  it("that sends a huge question, or one nested too deep, puts neither to the person", async () => {
    const deep: unknown = JSON.parse("[".repeat(500) + "]".repeat(500));
    for (const more of [{ message: "x".repeat(20 * 2 ** 20) }, { message: "Deep?", deep }]) {
      const error = await called(({ id }, response) => {
        const params = { mode: "form", requestedSchema: { type: "object", properties: {} }, ...more };
        const inputRequests = { q: { method: "elicitation/create", params } };
        say(response, { id, result: { resultType: "input_required", inputRequests } });
      });
      expect(error.code).to.equal("network_error");
    }
  });

  it("that breaks off its answer has the call fail, and does not hold it", async () => {
    const error = await called((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(": nothing comes\n\n");
    });
    expect(error.code).to.equal("network_error");
    expect(error.message).to.include("broke off");
  });

  it("that wants what was not offered, a model or the folders, gets neither", async () => {
    for (const method of ["sampling/createMessage", "roots/list"]) {
      const error = await called(({ id }, response) => {
        const inputRequests = { q: { method, params: { messages: [], maxTokens: 1 } } };
        say(response, { id, result: { resultType: "input_required", inputRequests } });
      });
      expect(error.code).to.be.oneOf(["generic_error", "network_error"]);
    }
  });

  it("that answers with a kind of result that nobody knows has the call fail", async () => {
    const error = await called(({ id }, response) =>
      say(response, { id, result: { resultType: "surprise", content: [] } }),
    );
    expect(error.code).to.be.oneOf(["generic_error", "network_error"]);
  });
});
