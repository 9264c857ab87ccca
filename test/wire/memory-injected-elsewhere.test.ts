import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { openStage } from "../support/host.ts";
import { callsOf, cast, chatWith, openAgents, spawning } from "../support/agent-stage.ts";
import { saying } from "../support/lab-stage.ts";
import { rememberedAt } from "../support/remembered.ts";
import { verifies } from "../support/verifies.ts";

describe("what is remembered, by other settings", () => {
  const talk = async (
    settings: object,
    check: (at: ReturnType<typeof rememberedAt>) => Promise<void>,
  ): Promise<void> => {
    const stage = await openStage(saying("Fine."), { settings: settings as never });
    try {
      await check(rememberedAt(() => stage));
    } finally {
      await stage.end();
    }
  };

  verifies("memory:injected", "is no memory where the count is 0, and more where it is higher", async () => {
    for (const [count, shown] of [
      [0, 0],
      [8, 8],
    ] as const)
      await talk({ "memory.inject_count": count }, async ({ store, say, notes }) => {
        await store(
          "c",
          Array.from({ length: 9 }, (_, n) => `The door code was ${n}000 in week ${n}`),
        );
        await say("c", "What is the door code?");
        expect(notes()).to.have.length(shown);
      });
  });

  verifies("memory:threshold", "is only what is similar enough", async () => {
    for (const [threshold, shown] of [
      [0.9, ["The red bicycle"]],
      [0.2, ["The red bicycle", "A bicycle shop in Rome"]],
    ] as const)
      await talk({ "memory.inject_threshold": threshold }, async ({ store, say, notes }) => {
        await store("c", ["The red bicycle", "A bicycle shop in Rome", "Nothing of the kind"]);
        await say("c", "red bicycle");
        expect(notes().map((line) => /\) (.*)$/.exec(line)?.[1])).to.have.members([...shown]);
      });
  });

  verifies("memory:optional", "is nothing where no plugin keeps memory", async () => {
    await talk({ disabled: ["service-memory"] }, async ({ say, newestUserText }) => {
      expect(await say("c", "Hello")).to.include("Fine.");
      expect(newestUserText()).to.match(/^Hello\n\n<context>/);
    });
  });
});

describe("what is remembered, put before sub-agents", () => {
  let stage: Stage;
  before(async () => {
    stage = await openAgents();
  });
  after(() => stage.end());
  const { store, share } = rememberedAt(() => stage);
  const toldTo = (task?: string): string =>
    String(callsOf(stage, task)[0]?.messages.findLast(({ role }) => role === "user")?.content);

  verifies(
    "memory:injected",
    "is that of their own scope: not the parent's, but the topic's where that is shared",
    async () => {
      await store("above", ["Go to the windmill"]);
      stage.provider.play(cast([spawning({ task: "Go to the windmill", wait: true }), saying("ok")]));
      await chatWith(stage, "above");
      expect(toldTo()).to.include("<memory>").and.include(") Go to the windmill");
      expect(toldTo("Go to the windmill")).to.include("Go to the windmill").and.not.include("<memory>");

      stage.provider.play(saying("Fine."));
      await chatWith(stage, "sharing");
      const topic = await share("Mills", "sharing");
      await store("sharing", ["Go to the watermill of the topic"], topic);
      stage.provider.play(cast([spawning({ task: "Go to the watermill", wait: true }), saying("ok")]));
      await chatWith(stage, "sharing");
      expect(toldTo("Go to the watermill")).to.include(") Go to the watermill of the topic");
    },
  );
});
