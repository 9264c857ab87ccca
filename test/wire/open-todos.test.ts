import { allChunks, contentOf } from "@pergola/sdk/testing";
import { expect } from "chai";
import { chat, detailOf, sentTurns, storedTurns, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { calling, saying } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

const write = (...statuses: readonly string[]) =>
  calling({
    name: "todo_operations",
    arguments: {
      operation: "write",
      todoList: statuses.map((status, index) => ({
        id: index + 1,
        title: `Step ${index + 1}`,
        status,
        ...(status === "blocked" && { blockedReason: "No key" }),
      })),
    },
  });

describe("open to-dos", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const run = async (
    conversationId: string,
    script: readonly ReturnType<typeof saying>[],
    more: object = {},
  ): Promise<ChatAnswer> => {
    stage.provider.play(script);
    return (await chat(stage, { messages: [user("Go")], conversationId, ...more })).body;
  };
  const iterations = ({ service_metadata: { workflow } }: ChatAnswer) => [
    workflow["completion_reason"],
    workflow["iterations"],
  ];

  verifies(
    ["loop:open-todos", "W01"],
    "are pointed out while they are open, and the run goes on",
    async () => {
      const script = [
        write("in-progress", "not-started"),
        saying("I am done."),
        write("completed", "completed"),
        saying("Now I am."),
      ];
      const body = await run("goes on", script);
      expect(iterations(body)).to.deep.equal(["workflow_complete", 4]);
      expect(body.choices[0]?.message.content).to.equal("Now I am.");
      const nudged = sentTurns(stage, -2);
      expect(nudged.slice(-2)[0]).to.equal("assistant: I am done.");
      expect(nudged.at(-1)).to.match(/^user: .*open[^]*1\. Step 1[^]*2\. Step 2/);
      expect(JSON.stringify(sentTurns(stage, -1))).to.not.include("has open items");
      expect(await storedTurns(stage.host, "goes on")).to.satisfy((turns: readonly string[]) =>
        turns.every((turn) => !turn.includes("open items")),
      );
      const said = (await detailOf(stage.host, "goes on")).messages
        .filter(({ role }) => role === "assistant")
        .map(({ content }) => content);
      expect(said).to.deep.equal([null, "I am done.", "Now I am."]);
    },
  );

  verifies(
    ["loop:open-todos", "W01"],
    "are pointed out three times at most; the answer holds what was said",
    async () => {
      const insist = [1, 2, 3, 4].map((index) => saying(`Done ${index}.`));
      const body = await run("insists", [write("not-started"), ...insist]);
      expect(iterations(body)).to.deep.equal(["workflow_complete", 5]);
      expect(body.choices[0]?.message.content).to.equal("Done 1.\n\nDone 2.\n\nDone 3.\n\nDone 4.");
      stage.provider.play([write("not-started"), ...insist]);
      const body2 = {
        model: "default",
        messages: [user("Go")],
        conversationId: "insists, streamed",
        stream: true,
      };
      const streamed = await stage.host.request("POST", "/api/chat/completions", body2);
      expect(contentOf(await allChunks(streamed))).to.equal("Done 1.\n\nDone 2.\n\nDone 3.\n\nDone 4.");
      expect((await run("insists", [saying("Yes.")])).choices[0]?.message.content).to.equal("Yes.");
    },
  );

  verifies(
    "loop:open-todos",
    "are left alone when they are blocked or done, of another run, or the model says stop",
    async () => {
      expect(
        iterations(await run("blocked", [write("blocked", "completed"), saying("So be it.")])),
      ).to.deep.equal(["workflow_complete", 2]);
      expect(
        iterations(await run("stops", [write("not-started"), saying('{"status":"stop"}')])),
      ).to.deep.equal(["workflow_complete", 2]);
      expect(iterations(await run("stops", [saying("Hello.")]))).to.deep.equal(["workflow_complete", 1]);
      const limited = await run("limit", [write("not-started"), saying("Done.")], { max_iterations: 2 });
      expect(iterations(limited)).to.deep.equal(["workflow_complete", 2]);
    },
  );

  verifies("loop:open-todos", "of an earlier run are pointed out to an autonomous one", async () => {
    await run("task", [write("not-started"), saying('{"status":"stop"}')]);
    stage.provider.play([saying("Done."), write("completed"), saying("Really done.")]);
    const { body } = await stage.host.json<{
      status: string;
      iterations: number;
      finalResponse: string;
      metadata: object;
    }>("POST", "/api/chat/autonomous", {
      model: "default",
      messages: [user("Finish the list")],
      conversationId: "task",
    });
    expect(body.finalResponse, JSON.stringify(body)).to.equal("Really done.");
  });
});
