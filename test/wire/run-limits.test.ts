import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "@pergola/sdk";
import { chatReply, temporaryFolder, type MockScript } from "@pergola/sdk/testing";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";
import { officialPlugins } from "../support/host.ts";
import {
  answer,
  calling,
  eachItsLab,
  labCall,
  labPlugin,
  outcomesOf,
  pendingIn,
  play,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { verifies } from "../support/verifies.ts";

describe("a store that takes no more results", () => {
  const open = eachItsLab();
  const code = `
    import memory from ${JSON.stringify(pathToFileURL(path.join(root, "plugins/storage-memory/index.ts")).href)};
    const open = async (...given) => {
      const storage = await memory.storages[0].open(...given);
      const commit = storage.commit.bind(storage);
      storage.commit = async (writes, ...more) => {
        if (writes.some(({ collection }) => collection === "results")) throw new Error("disk full");
        return commit(writes, ...more);
      };
      return storage;
    };
    export default { storages: [{ type: "full", open }] };`;

  verifies("loop:exhausted", "ends the run at once", async () => {
    const use = writePlugin(temporaryFolder(), {
      id: "storage-full",
      kind: "storage",
      provides: { storages: ["full"] },
      code,
    });
    const plugins = [...officialPlugins(), labPlugin, { use, isolation: "trusted" }];
    const stage = await open({ plugins, settings: { storage: { type: "full" } } });
    lab.texts.set("large", "x".repeat(20_000));
    const { status, workflow } = await play(stage, [calling(labCall("peek", "large")), saying("never")], {
      conversationId: "full",
    });
    const [outcome] = await outcomesOf(stage.host, "full");
    expect([status, workflow.completion_reason, workflow.iterations]).to.deep.equal([
      200,
      "tool_execution_failed",
      1,
    ]);
    expect(outcome).to.include({ success: false, error_code: "storage_unavailable" });
  });
});

describe("limits of a run", () => {
  const open = eachItsLab();

  verifies("loop:cost-time", "runs.max_cost_usd ends it", async () => {
    const prices = { "custom/test": { prompt: 1, completion: 1 } };
    const stage = await open({ settings: { "runs.max_cost_usd": 0.5, "models.prices": prices } });
    const turn = chatReply([
      { toolCalls: [labCall("peek", "a")] },
      { usage: { promptTokens: 300, completionTokens: 10 } },
    ]);
    const { status, body, workflow } = await play(stage, [turn, turn, turn], { conversationId: "dear" });
    expect([status, workflow.completion_reason, workflow.iterations]).to.deep.equal([200, "error", 2]);
    expect(body.service_metadata.workflow.had_errors).to.equal(true);
  });

  verifies("loop:cost-time", "runs.max_cost_usd that cannot be kept is told", async () => {
    const kind = `import { scriptedProvider } from ${JSON.stringify(pathToFileURL(path.join(root, "sdk/testing/scripted-provider.ts")).href)};
      export default { providers: [{ ...scriptedProvider(() => ({ text: "Hi." }), { type: "far" }), isLocal: false }] };`;
    const far = writePlugin(temporaryFolder(), {
      id: "provider-far",
      kind: "provider",
      provides: { providers: ["far"] },
      code: kind,
    });
    const told = "runs.max_cost_usd does not count for far/test: no price is known for it";
    const cases: readonly (readonly [number, Json, readonly string[]])[] = [
      [1, {}, [told]],
      [0, {}, []],
      [1, { "far/test": { prompt: 1, completion: 1 } }, []],
    ];
    for (const [most, prices, warnings] of cases) {
      const settings = {
        "runs.max_cost_usd": most,
        "models.prices": prices,
        "providers.list": [{ type: "far" }],
      };
      const stage = await open({
        plugins: [...officialPlugins(), labPlugin, { use: far, isolation: "trusted" }],
        settings,
      });
      const { body } = await play(stage, saying("unused"), { model: "far/test" });
      expect(body.service_metadata.warnings).to.deep.equal(warnings);
    }
  });

  verifies("loop:cost-time", "runs.max_seconds ends it; waiting for the person does not count", async () => {
    const stage = await open({ settings: { "runs.max_seconds": 1 } });
    const asks = calling({ name: "user_collaboration", arguments: { prompt: "Ready?" } });
    const slow = chatReply([{ delayMs: 1050 }, { toolCalls: [labCall("peek", "a")] }]);
    const script: MockScript = ({ text }) => {
      if (text.includes("patient")) return text.includes('"role":"tool"') ? saying("done") : asks;
      return text.includes('"role":"tool"') ? slow : calling(labCall("peek", "first"));
    };
    const patient = play(stage, script, { conversationId: "patient" }, "Be patient");
    const { toolCallId } = await pendingIn(stage.host, "patient");
    const late = await play(stage, script, { conversationId: "slow" });
    await answer(stage.host, toolCallId, { userResponse: "yes" });
    expect((await patient).workflow.completion_reason).to.equal("workflow_complete");
    expect(late.workflow).to.include({ completion_reason: "error", iterations: 2 });
  });
});
