import { expect } from "chai";
import { type ModelEvent } from "@pergola/sdk";
import { callOf, openBench, tiny, type Bench } from "./support.ts";

describe("a cancelled answer of a local model", function () {
  this.timeout(30_000);
  let bench: Bench;
  before(async () => {
    bench = openBench({
      models: { [tiny]: { context: 65_536 } },
      preferences: { "local.context_size": 65_536 },
    });
    await bench.ask({ sampling: { maxTokens: 1 } });
  });
  after(() => bench.close());

  /** Milliseconds from the abort to the end of the stream, and what came after the abort. */
  async function cancel(
    call: Parameters<typeof callOf>[0],
    when: (event: ModelEvent | undefined) => Promise<boolean>,
  ) {
    const controller = new AbortController();
    const late: ModelEvent[] = [];
    let aborted = 0;
    const abort = (): void => {
      aborted = performance.now();
      controller.abort(new Error("gone"));
    };
    if (await when(undefined)) setTimeout(abort, 150);
    let seen = 0;
    const error = await (async () => {
      for await (const event of bench.provider.stream(callOf(call), controller.signal)) {
        seen += 1;
        if (aborted > 0) late.push(event);
        else if (await when(event)) abort();
      }
    })().catch((e: unknown) => e);
    return { took: performance.now() - aborted, seen, late, error };
  }

  it("ends within a second while the prompt is read, and the model is free for the next one", async () => {
    const long = { messages: [{ role: "user" as const, content: "It rains. ".repeat(6000) }] };
    const { took, seen, late, error } = await cancel(long, async (event) => event === undefined);
    expect([seen, late, (error as Error).message]).to.deep.equal([0, [], "gone"]);
    expect(took).to.be.below(1000);
    const begun = performance.now();
    const next = await bench.ask({ sampling: { maxTokens: 1 } });
    expect([next.error, performance.now() - begun < 1500]).to.deep.equal([undefined, true]);
    expect(bench.pids, "in the same process").to.have.length(1);
  });

  it("ends within a second while it is written", async () => {
    const { took, late } = await cancel(
      { sampling: { maxTokens: 20_000 } },
      async (event) => event?.type === "text",
    );
    expect([late, took < 1000]).to.deep.equal([[], true]);
    expect((await bench.ask({ sampling: { maxTokens: 1 } })).error).to.equal(undefined);
    expect(bench.pids).to.have.length(1);
  });
});
