import { expect } from "chai";
import { chatReply, type ScriptTurn } from "@pergola/sdk/testing";
import { chat, sentBody, sentTurns, user, type WireMessage } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";
import { tool, calls, think } from "./caller-tools-scene.ts";

describe("which of the caller's tools are offered", () => {
  let stage: Stage;
  let conversationId: string;
  let number = 0;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());
  beforeEach(() => {
    conversationId = `tools ${(number += 1)}`;
  });

  const say = async (messages: readonly WireMessage[], script: readonly ScriptTurn[], more: object = {}) => {
    stage.provider.play(script.map(chatReply));
    return chat(stage, { messages, conversationId, tools: [tool("weather"), tool("traffic")], ...more });
  };
  const asked = (body: { readonly choices: readonly { readonly message: WireMessage }[] }) =>
    (body.choices[0]?.message["tool_calls"] ?? []) as readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  const question = [user("How is Oslo?")];

  verifies("tools:choice", "decide with builtin_tools which tools are offered", async () => {
    const offered = async (more: object) => {
      await say(question, [{ text: "Ok." }], more);
      return (sentBody(stage).tools ?? []).map((one) => one.function.name);
    };
    const all = await offered({ tools: undefined });
    expect(all).to.include.members(["think", "user_collaboration"]).and.not.include("weather");
    for (const tools of [null, []]) expect(await offered({ tools })).to.deep.equal(all);
    const mine = [
      tool("weather"),
      tool("think", { description: "Not yours", parameters: { type: "object" } }),
    ];
    expect(await offered({ tools: mine })).to.have.members(["weather", "think"]);
    expect(JSON.stringify(sentBody(stage).tools))
      .to.contain("thoughts")
      .and.not.contain("Not yours");
    expect(await offered({ tools: mine, service_config: { builtin_tools: "all" } })).to.have.members([
      "weather",
      ...all,
    ]);
    for (const service_config of [{ builtin_tools: "none" }, { mcp_tools_enabled: false }]) {
      expect(await offered({ tools: mine, service_config })).to.deep.equal(["weather", "think"]);
      expect(JSON.stringify(sentBody(stage).tools)).to.contain("Not yours");
      expect(await offered({ tools: [], service_config })).to.deep.equal([]);
    }
    expect(await offered({ tools: [tool("weather", { parameters: '{"type":"object"}' })] })).to.deep.equal([
      "weather",
    ]);
    expect(sentBody(stage).tools?.[0]?.function["parameters"]).to.deep.equal({ type: "object" });
  });

  verifies("tools:own-names", "with parameters stay the caller's, whatever their names (C4)", async () => {
    const tools = [tool("think"), tool("terminal_operations")];
    for (const service_config of [{}, { builtin_tools: "all" }]) {
      const { body } = await say(question, [calls("think", "terminal_operations")], {
        tools,
        service_config,
        conversationId: undefined,
      });
      expect(asked(body).map((call) => call.function.name)).to.deep.equal(["think", "terminal_operations"]);
      const sent = JSON.stringify(sentBody(stage).tools);
      expect(sent).to.contain("My think").and.contain("My terminal_operations").and.not.contain("thoughts");
      expect(body.service_metadata.workflow).to.include({ tool_call_count: 0 });
    }
  });

  verifies(
    "tools:own-names",
    "without parameters that name a family which is off get a warning (C4)",
    async () => {
      const { body } = await say(question, [{ text: "Ok." }], {
        tools: [tool("weather"), tool("terminal_operations", { parameters: { type: "object" } })],
      });
      expect((sentBody(stage).tools ?? []).map((one) => one.function.name)).to.deep.equal(["weather"]);
      expect(body.service_metadata.warnings.join()).to.contain("the tool terminal_operations was left out");
    },
  );

  verifies("tools:left-out", "of types that nobody here runs are left out with a warning (C15)", async () => {
    const { status, body } = await say(question, [{ text: "Ok." }], {
      tools: [tool("weather"), { type: "web_search" }],
    });
    expect(status).to.equal(200);
    expect((sentBody(stage).tools ?? []).map((one) => one.function.name)).to.deep.equal(["weather"]);
    expect(body.service_metadata.warnings.join()).to.match(/tools\[1\].*web_search/);
  });

  verifies(
    "tools:preferred",
    "are joined by built-in ones as endpoints.<group>.builtin_tools says (C10)",
    async () => {
      const own = await openStage(undefined, {
        settings: { "endpoints.chat.builtin_tools": "none", "endpoints.messages.builtin_tools": "all" },
      });
      try {
        const offered = () => (sentBody(own).tools ?? []).map((one) => one.function.name);
        await chat(own, { messages: question });
        expect(offered()).to.deep.equal([]);
        await chat(own, { messages: question, service_config: { builtin_tools: "auto" } });
        expect(offered()).to.include("think");
        await own.host.json("POST", "/v1/messages", {
          model: "default",
          max_tokens: 9,
          messages: question,
          tools: [{ name: "weather", input_schema: { type: "object" } }],
        });
        expect(offered()).to.include.members(["think", "weather"]);
      } finally {
        await own.end();
      }
    },
  );

  verifies(
    "tools:choice",
    "of a built-in family's name are the caller's where built-in ones are off",
    async () => {
      const { body } = await say(question, [calls("think")], {
        tools: [tool("think")],
        service_config: { builtin_tools: "none" },
      });
      expect(asked(body).map((call) => call.function.name)).to.deep.equal(["think"]);
      expect(body.service_metadata.workflow["tool_call_count"]).to.equal(0);
    },
  );

  verifies("tools:choice", "leave the built-in ones that were not asked for out of reach", async () => {
    for (const more of [
      { tools: [tool("weather")] },
      { tools: [], service_config: { builtin_tools: "none" } },
    ]) {
      const { body } = await say(question, [{ toolCalls: [think] }, { text: "Ok." }], more);
      expect(body.service_metadata.workflow["had_errors"]).to.equal(true);
      expect(sentTurns(stage).at(-1)).to.contain("tool_disabled");
    }
  });
});
