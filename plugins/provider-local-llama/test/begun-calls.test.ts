import { expect } from "chai";
import { paint } from "./offered-tools.ts";
import { callsOf, openBench, textOf, type Bench } from "./support.ts";

describe("what a local model begins by itself", function () {
  this.timeout(30_000);
  const line = "<0x0A>";
  let bench: Bench;
  before(() => {
    bench = openBench({
      models: {
        calls: { chain: { [line]: "<tool_call>", "</tool_call>": "</s>" } },
        "calls/at-once": { chain: { [line]: "<tool_call>{", "</tool_call>": "</s>" } },
        "calls/more": { chain: { [line]: "<tool_call>", "</tool_call>": "<tool_call>" } },
      },
    });
  });
  after(() => bench.close());

  for (const model of ["calls", "calls/at-once"]) {
    it(`is a call that is held to the tools' schemas, told as such, and nothing else (${model})`, async () => {
      const { events } = await bench.ask({ model, tools: [paint], sampling: { maxTokens: 400 } });
      expect(callsOf(events).map(({ name }) => name)).to.deep.equal(["paint"]);
      expect(events.filter(({ type }) => type === "text" || type === "warning")).to.deep.equal([]);
      expect(events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls" });
    });
  }

  it("is text where no tools are offered", async () => {
    const { events } = await bench.ask({ model: "calls", sampling: { maxTokens: 5 } });
    expect(textOf(events)).to.include("<tool_call>");
  });

  it("is one call after the other, or only one where the caller wants one", async () => {
    const ask = (more: object) =>
      bench.ask({ model: "calls/more", tools: [paint], sampling: { maxTokens: 600, ...more } });
    const many = (await ask({})).events.filter((event) => event.type === "tool_call");
    expect(many.length).to.be.above(1);
    expect(many.map((event) => event.type === "tool_call" && event.index)).to.deep.equal([...many.keys()]);
    const one = await ask({ parallelToolCalls: false });
    expect(callsOf(one.events)).to.have.length(1);
    expect(one.events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls" });
  });
});
