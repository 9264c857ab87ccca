import { expect } from "chai";
import { toolContext } from "@pergola/sdk/testing";
import { collect, hostile, isAlive, namesOf, stopAll } from "./collect.ts";

/**
 * Fails when the service itself was held up meanwhile: no timer may come more than `most` milliseconds late.
 */
async function responsive<T>(work: Promise<T>, most = 700): Promise<T> {
  let [last, worst] = [performance.now(), 0];
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    expect(worst).to.be.below(most);
  }
}

describe("hostile MCP servers", () => {
  afterEach(stopAll);

  for (const [mode, reason] of [
    ["mute", "not ready within 1 s"],
    ["garbage", "writes what is no message"],
    ["no-newline", "a message that is too long"],
    ["listless", "not ready within 1 s"],
  ] as const) {
    it(`F13: the start goes on without one that is ${mode}`, async () => {
      const begun = performance.now();
      const seconds = mode === "no-newline" ? 15 : 1;
      const host = await responsive(collect({ bad: hostile(mode) }, undefined, seconds));
      expect(performance.now() - begun).to.be.below(seconds * 1000 + 7000);
      expect(host.warnings[0]).to.include(reason);
      const state = await host.tools.get("mcp_bad")?.unavailable?.({} as never);
      expect(state?.reason).to.include("was not reached");
      expect(namesOf(host, "mcp_bad")).to.deep.equal([]);
    });
  }

  it("F13: the start goes on without a program that is not there", async () => {
    const host = await collect({ bad: { command: "/no/such/program" } });
    expect(host.warnings[0]).to.include("There is no such program");
  });

  it("one that ends at a question before its greeting is started again, and greeted", async () => {
    const host = await collect({ bad: hostile("brittle") });
    expect((await host.run("mcp_bad", "work")).data).to.equal("done");
    expect(host.warnings).to.deep.equal([]);
  });

  it("one that keeps silent where it does not know a method is greeted after a while", async () => {
    const host = await collect({ bad: hostile("reticent") }, undefined, 2);
    expect((await host.run("mcp_bad", "work")).data).to.equal("done");
    expect(host.warnings).to.deep.equal([]);
  });

  it("an endless list of tools ends", async () => {
    const host = await collect({ bad: hostile("endless") });
    expect(namesOf(host, "mcp_bad")).to.have.length(50);
  });

  it("names that imitate others, hide something or say nothing are not offered as such", async () => {
    const host = await collect({ bad: hostile("names") });
    expect(namesOf(host, "mcp_bad")).to.deep.equal(["read_file", "proto", "2jclear"]);
    expect(host.operation("mcp_bad", "read_file").description).to.equal("first");
    expect(host.operation("mcp_bad", "2jclear").description).to.equal("Line␛[31mred␇\\u{202e}turned");
    expect([...host.tools.keys()]).to.deep.equal(["mcp_bad", "mcp_servers"]);
    expect(host.tools.get("mcp_bad")).not.to.have.any.keys("names", "aliases");
  });

  it("schemas are taken over without what could hang, hijack or overflow the host", async () => {
    const host = await responsive(collect({ bad: hostile("schemas") }));
    const evil = host.operation("mcp_bad", "evil");
    expect(evil.parameters).to.deep.include({ text: { type: "string" }, odd: {}, away: {} });
    expect(Object.keys(evil.parameters)).not.to.include("__proto__");
    expect(evil.required).to.deep.equal(["text"]);
    expect(JSON.stringify(host.operation("mcp_bad", "bomb").parameters).length).to.be.below(50_000);
    expect(namesOf(host, "mcp_bad")).not.to.include("giant");
  });

  it("T2: a parameter that two tools share keeps its own meaning in each", async () => {
    const host = await responsive(collect({ bad: hostile("schemas") }));
    expect(["clash_a", "clash_b"].map((name) => host.operation("mcp_bad", name).parameters)).to.deep.equal([
      { id: { type: "integer" } },
      { id: { type: "string" } },
    ]);
  });

  it("F13: an answer that is too long ends the connection, and the next call has a new one", async () => {
    const host = await collect({ bad: hostile() });
    const error = await responsive(host.failure("mcp_bad", "large"));
    expect(error).to.have.property("code", "network_error");
    expect(error.message).to.include("too long");
    expect((await host.run("mcp_bad", "work")).data).to.equal("done");
  });

  it("F13: an answer that is nested too deep never arrives, and nothing falls over", async () => {
    const host = await collect({ bad: hostile() });
    const error = await host.failure(
      "mcp_bad",
      "deep",
      {},
      toolContext({ signal: AbortSignal.timeout(500) }),
    );
    expect(error).to.have.property("code", "cancelled");
    expect((await host.run("mcp_bad", "work")).data).to.equal("done");
  });

  it("F13: answers to nobody and second answers are ignored", async () => {
    const host = await collect({ bad: hostile() });
    expect((await host.run("mcp_bad", "wrong")).data).to.equal("true");
    expect((await host.run("mcp_bad", "work")).data).to.equal("done");
  });

  it("F13: one that floods stderr works all the same", async () => {
    const host = await collect({ bad: hostile("loud") });
    expect((await responsive(host.run("mcp_bad", "work"))).data).to.equal("done");
  });

  it("control characters of results are shown as signs", async () => {
    const host = await collect({ bad: hostile() });
    expect((await host.run("mcp_bad", "ansi")).data).to.equal("␛]0;owned␇plain␛[2J\\u{202e}");
  });

  it("F13: a call without an answer ends with its time", async () => {
    const host = await collect({ bad: hostile() });
    const error = await host.failure(
      "mcp_bad",
      "silent",
      {},
      toolContext({ signal: AbortSignal.timeout(200) }),
    );
    expect(error).to.have.property("code", "cancelled");
  });

  it("F13: one that ends again and again is not started again and again", async () => {
    const host = await collect({ bad: hostile() });
    const codes: string[] = [];
    for (let call = 0; call < 4; call++) codes.push((await host.failure("mcp_bad", "exit")).code);
    expect(codes).to.deep.equal(["network_error", "network_error", "network_error", "unavailable"]);
  });

  it("one that does not want to end is killed, with all it started", async () => {
    const host = await collect({ bad: hostile("stubborn") });
    const pids = await host.json<readonly number[]>("mcp_bad", "work");
    expect(pids.map(isAlive)).to.deep.equal([true, true]);
    await stopAll();
    expect(pids.map(isAlive)).to.deep.equal([false, false]);
  });
});
