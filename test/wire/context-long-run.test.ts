import { allChunks, chatReply, type MockReply, type MockRequest } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import { labCall, openLab, type ChatAnswer } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { checkPairs, factsOf, prefixWatch, windowOf } from "../support/sent-window.ts";
import { verifies } from "../support/verifies.ts";

const [contextWindow, iterations] = [32_768, 300];
const goal = "Move the orchard archive to the new house, tree by tree.";
const decision = "We decided to use port 7411 for the orchard server.";
const remembered = "The gate code of the orchard is 5519.";
const titles = ["Count the trees", "Label the crates", "Close the old gate"];

const todo = (id: number, status: string) => ({ id, title: titles[id - 1], status });
const write = (...statuses: readonly string[]) => ({
  name: "todo_operations",
  arguments: { operation: "write", todoList: statuses.map((status, index) => todo(index + 1, status)) },
});
const remember = { name: "memory_operations", arguments: { operation: "add_discovery", fact: remembered } };

/** What the model does in each iteration: it plans, decides, works, and ends what it planned. */
function turn(index: number): MockReply {
  if (index === 0) return chatReply({ toolCalls: [write("in-progress", "not-started", "not-started")] });
  if (index === 1)
    return chatReply([{ text: `I looked around. ${decision} More follows.` }, { toolCalls: [remember] }]);
  if (index === 150) return chatReply({ toolCalls: [write("completed", "in-progress", "not-started")] });
  if (index === iterations - 2)
    return chatReply({ toolCalls: [write("completed", "completed", "completed")] });
  if (index === iterations - 1) return chatReply({ text: "The orchard has moved." });
  const names = index % 7 === 0 ? [`a${index}`, `b${index}`, `c${index}`] : [`a${index}`];
  for (const name of names) lab.texts.set(name, `${name} ${"leaf ".repeat(300)}`);
  return chatReply([{ text: `Step ${index}.` }, { toolCalls: names.map((name) => labCall("peek", name)) }]);
}

/** The to-dos that are open when an iteration begins, and were before the last one. */
function openAt(index: number): readonly string[] {
  if (index === 0 || index === iterations - 1) return [];
  return index > 150 ? titles.slice(1) : titles;
}

describe("a run of 300 iterations in a context of 32k", function () {
  this.timeout(120_000);
  let stage: Stage;
  before(async () => {
    stage = await openLab([], {
      settings: { "models.overrides": { "custom/test": { supportsTools: true, contextWindow } } },
    });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  for (const stream of [false, true]) {
    const mode = stream ? "streamed" : "whole";
    verifies(
      ["context:goal", "context:pairs", "context:prefix", "T25", "W08", "W15"],
      `${mode}: keeps its goal, its to-dos and what it decided`,
      async () => {
        const watch = prefixWatch();
        const sizes: number[] = [];
        let first = -1;
        stage.provider.play((request: MockRequest, number) => {
          first = first < 0 ? number : first;
          const index = number - first;
          const window = windowOf(request);
          checkPairs(window);
          watch.see(request, index);
          sizes.push(request.text.length / 4);
          expect(window.find(({ role }) => role === "user")?.content).to.include(goal);
          for (const title of openAt(index)) expect(factsOf(request), `to-dos at ${index}`).to.include(title);
          if (index > 1) expect(request.text).to.include("port 7411").and.include("5519");
          return turn(index);
        });
        const conversationId = `orchard ${mode}`;
        const body = { ...ask(goal), stream, conversationId, max_iterations: iterations };
        const response = await stage.host.request("POST", "/api/chat/completions", body);
        if (response.status !== 200) throw new Error(await response.text());
        if (stream) expect((await allChunks(response)).length).to.be.above(iterations);
        else
          expect((await (response.json() as Promise<ChatAnswer>)).service_metadata.workflow).to.include({
            completion_reason: "workflow_complete",
            iterations,
          });
        expect(sizes).to.have.lengthOf(iterations);
        expect(Math.max(...sizes)).to.be.below(contextWindow);
        const { changes } = watch;
        expect(changes.length, `the beginning changed at ${changes.join()}`).to.be.within(3, iterations / 6);
        const { id } = await stage.host.services.conversations.get(conversationId);
        const query = { query: "Which port has the orchard server?", time_hint: "early" };
        const call = { tool: "memory_operations.recall_history", arguments: query, conversationId };
        const { body: recalled } = await stage.host.json<{ result: string }>(
          "POST",
          "/debug/mcp/execute",
          call,
        );
        expect(recalled.result, "T25").to.include("port 7411");
        const { items, count } = (await stage.host.services.archive?.list(id)) ?? { items: [], count: 0 };
        expect(count).to.equal(changes.length);
        for (const [index, { first: begins, last }] of items.entries()) {
          expect(begins).to.equal(index === 0 ? 1 : (items[index - 1]?.last ?? 0) + 1);
          expect(last).to.be.at.least(begins);
        }
        const stored = await stage.host.services.conversations.messages(id, { limit: 10_000 });
        expect(stored.map(({ seq }) => seq)).to.deep.equal(stored.map((_, index) => index + 1));
        expect(stored.every(({ content }) => !(content ?? "").includes("<thread_summary>"))).to.equal(true);
        expect(stored.filter(({ role }) => role === "assistant")).to.have.lengthOf(iterations);
      },
    );
  }
});
