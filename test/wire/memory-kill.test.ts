import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { openService, type Service } from "../faults/support/service.ts";

interface Executed {
  readonly toolResult: { readonly success: boolean; readonly data?: string };
}

const words = [
  "amber",
  "basalt",
  "cobalt",
  "dolomite",
  "emerald",
  "feldspar",
  "granite",
  "hematite",
  "indigo",
  "jasper",
];

describe("memory under kill -9", function () {
  this.timeout(60_000);
  let service: Service;
  before(async () => {
    service = await openService();
  });
  after(() => service.close());

  const call = async (tool: string, args: object): Promise<Record<string, unknown>> => {
    const { body } = await service.json<Executed>("POST", "/debug/mcp/execute", { tool, arguments: args });
    expect(body.toolResult.success).to.equal(true);
    return JSON.parse(body.toolResult.data ?? "") as Record<string, unknown>;
  };

  it("keeps and finds all that was acknowledged, and finds all that it kept", async () => {
    const acknowledged: string[] = [];
    for (const [round, word] of words.slice(0, 4).entries()) {
      await service.start();
      const storing = Array.from({ length: 40 }, async (_, number) => {
        const content = `${word} number ${round * 100 + number}`;
        await call("store_memory", { content });
        acknowledged.push(content);
      });
      const all = Promise.allSettled(storing);
      const enough = acknowledged.length + 1 + 3 * round;
      for (const end = performance.now() + 5000; acknowledged.length < enough && performance.now() < end;)
        await setTimeout(2);
      await service.kill();
      await all;
    }
    await service.start();
    const total = (await call("list_memory", {}))["total"] as number;
    expect(total).to.be.at.least(acknowledged.length);
    let found = 0;
    for (const word of words.slice(0, 4)) {
      const { memories } = (await call("search_memory", {
        query: word,
        limit: 100,
        similarity_threshold: "0.8",
      })) as {
        memories: readonly { content: string }[];
      };
      const contents = memories.map(({ content }) => content);
      expect(contents).to.include.members(acknowledged.filter((content) => content.startsWith(word)));
      expect(new Set(contents).size).to.equal(contents.length);
      found += contents.length;
    }
    expect(found).to.equal(total);
    expect(acknowledged.length).to.be.above(0);
  });
});
