import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  agentCall,
  agentRuns,
  agentsBecome,
  beginWith,
  callsOf,
  cast,
  chatWith,
  openAgents,
  spawning,
} from "../support/agent-stage.ts";
import { type Stage } from "../support/host.ts";
import { calling, eventually, labCall, outcomesOf, runOf, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { type Spawned, dataOf } from "./agents-scene.ts";

describe("agent_operations: rights and limits", () => {
  let stage: Stage;
  before(async () => {
    stage = await openAgents({ settings: { "agents.max_parallel": 2 } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const spawned = async (conversation: string, index = 0): Promise<Spawned> =>
    dataOf((await outcomesOf(stage.host, conversation))[index]);

  verifies("agents:rights", "give an agent its parent's tools without those withheld", async () => {
    stage.provider.play(cast([spawning({ task: "Plain", wait: true }), saying("ok")]));
    await chatWith(stage, "rights");
    const above =
      callsOf(stage)
        .at(-1)
        ?.tools?.map((tool) => tool.function.name) ?? [];
    const own = callsOf(stage, "Plain")[0]?.tools?.map((tool) => tool.function.name) ?? [];
    expect(above).to.include.members(["agent_operations", "increase_max_iterations", "lab"]);
    expect(own).to.deep.equal(
      above.filter((name) => !["agent_operations", "increase_max_iterations"].includes(name)),
    );
  });

  verifies(["agents:rights", "W12"], "refuse what was withheld even if the agent calls it", async () => {
    const grab = calling(
      agentCall("list"),
      { name: "increase_max_iterations", arguments: { requested_iterations: 900, reason: "more" } },
      labCall("peek", "mine"),
    );
    stage.provider.play(
      cast([spawning({ task: "Grab", wait: true }), saying("ok")], { Grab: [grab, saying("ok")] }),
    );
    await chatWith(stage, "grab");
    const outcomes = await outcomesOf(stage.host, (await spawned("grab")).conversation_id);
    expect(outcomes.map(({ success, error_code: code }) => code ?? success)).to.deep.equal([
      "tool_disabled",
      "tool_disabled",
      true,
    ]);
  });

  verifies("agents:rights", "give what the call asks for, where the parent has it", async () => {
    const wish = {
      wait: true,
      enableWorkflowMode: true,
      enableDynamicIterations: true,
      enableTerminalAccess: true,
    };
    stage.provider.play(cast([spawning({ task: "All", ...wish }), saying("ok")]));
    await chatWith(stage, "wish", { service_config: { enable_dynamic_iterations: false } });
    const names = callsOf(stage, "All")[0]?.tools?.map((tool) => tool.function.name) ?? [];
    expect(names).to.include("agent_operations");
    expect(names).to.not.include("increase_max_iterations");
    expect(names).to.not.include("terminal_operations");
  });

  verifies(
    ["agents:rights", "W12"],
    "keep an agent to the families that the request above chose",
    async () => {
      const tools = ["agent_operations", "lab"].map((name) => ({ type: "function", function: { name } }));
      stage.provider.play(cast([spawning({ task: "Few", wait: true }), saying("ok")]));
      await chatWith(stage, "few", { tools });
      expect(callsOf(stage, "Few")[0]?.tools?.map((tool) => tool.function.name)).to.deep.equal(["lab"]);
    },
  );

  verifies(["agents:limits", "W12"], "refuse an agent's agents below agents.max_depth", async () => {
    stage.provider.play(
      cast([spawning({ task: "Deep", wait: true, enableWorkflowMode: true }), saying("ok")], {
        Deep: [spawning({ task: "Deeper" }), saying("ok")],
      }),
    );
    await chatWith(stage, "deep");
    const outcomes = await outcomesOf(stage.host, (await spawned("deep")).conversation_id);
    expect(outcomes[0]).to.include({ success: false, error_code: "permission_denied" });
    expect((await agentRuns(stage.host)).filter(({ id }) => id.includes("Deeper"))).to.deep.equal([]);
  });

  verifies("agents:limits", "refuse more than agents.max_parallel at once, until one has ended", async () => {
    const held = (name: string) => [
      chatReply({ toolCalls: [labCall("peek", name, { gate: true })] }),
      saying("ok"),
    ];
    stage.provider.play(
      cast(
        [
          spawning({ task: "one" }, { task: "two" }, { task: "three" }),
          calling(labCall("peek", "turn", { gate: true })),
          spawning({ task: "four" }),
          saying("ok"),
        ],
        {
          one: held("one"),
          two: held("two"),
        },
      ),
    );
    beginWith(stage, "crowd");
    await lab.until("start turn");
    await lab.until("start two");
    lab.open("one");
    await agentsBecome(stage.host, "crowd", "ended", "running");
    lab.open("turn");
    await eventually(async () => ((await runOf(stage.host, "crowd")).status === "ended" ? true : undefined));
    const outcomes = await outcomesOf(stage.host, "crowd");
    expect(outcomes.map(({ success, error_code: code }) => code ?? success)).to.deep.equal([
      true,
      true,
      "conflict",
      true,
      true,
    ]);
    lab.open("two");
    await agentsBecome(stage.host, "crowd", "ended", "ended", "ended");
  });
});
