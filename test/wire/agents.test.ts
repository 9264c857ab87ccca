import { chatReply, endpointRequest } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  agentCall,
  agentRuns,
  agentsIn,
  byHand,
  callsOf,
  cast,
  chatWith,
  inboxOf,
  openAgents,
  spawning,
  type AgentEntry,
} from "../support/agent-stage.ts";
import { detailOf } from "../support/chat.ts";
import { ask, type Stage } from "../support/host.ts";
import {
  calling,
  eventually,
  labCall,
  messagesOf,
  outcomesOf,
  runOf,
  saying,
  type Outcome,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { type Spawned, dataOf } from "./agents-scene.ts";

describe("agent_operations", () => {
  let stage: Stage;
  before(async () => {
    stage = await openAgents({ settings: { "agents.max_parallel": 2 } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const spawned = async (conversation: string, index = 0): Promise<Spawned> =>
    dataOf((await outcomesOf(stage.host, conversation))[index]);

  verifies("policy:off-by-default", "are not offered, and refused, until they are switched on", async () => {
    stage.provider.play(cast([spawning({ task: "off" }), saying("No.")]));
    const { body } = await chatWith(stage, "off", { service_config: { enable_workflow_mode: false } });
    expect(body.choices[0]?.message.content).to.equal("No.");
    expect((await outcomesOf(stage.host, "off"))[0]?.error_code).to.equal("tool_disabled");
    expect(callsOf(stage)[0]?.tools?.map((tool) => tool.function.name)).to.not.include("agent_operations");
  });

  verifies(
    "agents:run",
    "run an agent in a hidden conversation of its own and wait for its summary",
    async () => {
      const look = chatReply({ toolCalls: [labCall("peek", "inside")] });
      stage.provider.play(
        cast([spawning({ task: "Look", wait: true }), saying("Seen.")], {
          Look: [look, saying("It is blue.")],
        }),
      );
      const { body } = await chatWith(stage, "waits");
      expect(body.choices[0]?.message.content).to.equal("Seen.");
      const data = await spawned("waits");
      expect(data).to.include({ status: "ended", summary: "It is blue.", iterations: 2 });
      expect(data.tools_used).to.deep.equal(["lab"]);
      expect(data.duration).to.be.within(0, 5);

      const run = (await agentRuns(stage.host)).find(({ id }) => id === data.run_id);
      const above = await runOf(stage.host, "waits");
      expect(run).to.include({
        kind: "subagent",
        parentRunId: above.id,
        completion_reason: "workflow_complete",
        max_iterations: 15,
      });
      const [own, parent] = [
        await detailOf(stage.host, data.conversation_id),
        await detailOf(stage.host, "waits"),
      ];
      expect(own).to.include({
        title: "Sub-agent: Look",
        hidden: true,
        workingDirectory: parent.workingDirectory,
      });
      const { body: listed } = await stage.host.json<{ conversations: { id: string }[] }>(
        "GET",
        "/v1/conversations",
      );
      expect(listed.conversations.map(({ id }) => id)).to.not.include(data.conversation_id);
      const { body: all } = await stage.host.json<{ conversations: { id: string }[] }>(
        "GET",
        "/v1/conversations?includeHidden=true",
      );
      expect(all.conversations.map(({ id }) => id)).to.include(data.conversation_id);
      const tool = own.messages.find(({ role }) => role === "tool");
      expect(tool).to.include({ toolName: "lab", parentToolName: "agent_operations" });
      expect(await inboxOf(stage.host, "waits")).to.deep.equal([]);
    },
  );

  verifies("agents:run", "hand the wishes of the call to the agent's run", async () => {
    const wishes = {
      instructions: "Be terse.",
      maxIterations: 3,
      temperature: 0.1,
      top_p: 0.5,
      enableReasoning: false,
      model: "custom/test",
    };
    stage.provider.play(cast([spawning({ task: "Wish", wait: true, ...wishes }), saying("ok")]));
    await chatWith(stage, "wishes");
    const [call] = callsOf(stage, "Wish");
    expect(call).to.include({ temperature: 0.1, top_p: 0.5 });
    expect(
      call?.messages.some(({ role, content }) => role === "system" && String(content).endsWith("Be terse.")),
    ).to.equal(true);
    expect(call?.messages.filter(({ role }) => role === "user")).to.have.lengthOf(1);
    expect((await agentRuns(stage.host)).at(-1)).to.include({ max_iterations: 3 });
  });

  verifies("agents:run", "say what is wrong with a model that nobody has", async () => {
    stage.provider.play(cast([spawning({ task: "Model", model: "nobody/none" }), saying("ok")]));
    await chatWith(stage, "model");
    expect((await outcomesOf(stage.host, "model"))[0]).to.include({
      success: false,
      error_code: "invalid_value",
    });
    expect(await agentsIn(stage.host, "model")).to.deep.equal([]);
    const { body } = await stage.host.json<{ conversations: { title: string }[] }>(
      "GET",
      "/v1/conversations?includeHidden=true",
    );
    expect(body.conversations.map(({ title }) => title)).to.not.include("Sub-agent: Model");
  });

  verifies("agents:run", "know run_subagent as a spawn that waits, unless it says otherwise", async () => {
    const alias = (more: { readonly [name: string]: unknown }) => ({ name: "run_subagent", arguments: more });
    stage.provider.play(
      cast([calling(alias({ task: "First" }), alias({ task: "Second", wait: false })), saying("ok")]),
    );
    await chatWith(stage, "alias");
    expect(await spawned("alias", 0)).to.include({ status: "ended", summary: "First: done." });
    expect(await spawned("alias", 1)).to.not.have.property("summary");
    const [stored] = (await messagesOf(stage.host, "alias")).filter(({ role }) => role === "tool");
    expect(stored).to.include({ toolName: "agent_operations", toolOperation: "spawn" });
  });

  verifies("agents:run", "share the topic of the conversation above, and are let into no other", async () => {
    const { conversations, topics } = stage.host.services;
    const made = async (name: string): Promise<string> => (await topics!.create({ name })).topic.id;
    const [topic, other] = [await made("Ours"), await made("Theirs")];
    const { id } = await conversations.create(
      { topicId: topic, settings: { sharedTopicAccess: "read" } },
      endpointRequest().caller,
    );
    stage.provider.play(
      cast([
        spawning(
          { task: "Same", wait: true },
          { task: "Named", sharedTopicId: topic, wait: true },
          { task: "Other", sharedTopicId: other },
        ),
        saying("ok"),
      ]),
    );
    await chatWith(stage, id);
    for (const index of [0, 1]) {
      const own = await conversations.get((await spawned(id, index)).conversation_id);
      expect([own.settings.useSharedData, conversations.scopeOf(own)]).to.deep.equal([true, topic]);
      expect([own.topicId, own.settings.sharedTopicAccess]).to.deep.equal([topic, "read"]);
    }
    expect((await outcomesOf(stage.host, id))[2]).to.include({ success: false, error_code: "not_found" });

    stage.provider.play(cast([spawning({ task: "Alone" }), saying("ok")]));
    await chatWith(stage, "alone");
    const alone = await conversations.get((await spawned("alone")).conversation_id);
    expect(conversations.scopeOf(alone)).to.equal(alone.id);
  });

  verifies(
    "agents:inbox",
    "bring a summary to the inbox, name it in the next context, and keep it until it is acknowledged",
    async () => {
      const from = callsOf(stage).length;
      const long = "é".repeat(1990) + "<b>" + "z".repeat(500);
      stage.provider.play(
        cast(
          [
            spawning({ task: "Background" }),
            saying("Started."),
            calling(agentCall("inbox")),
            saying("Read."),
            saying("Nothing new."),
          ],
          {
            Background: [chatReply([{ delayMs: 30 }, { text: long }])],
          },
        ),
      );
      await chatWith(stage, "inbox");
      const { agent_id, status } = await spawned("inbox");
      expect(status).to.match(/^(queued|running)$/);
      const [message] = await eventually(async () => {
        const found = await inboxOf(stage.host, "inbox");
        return found.length > 0 ? found : undefined;
      });
      expect(message).to.include({ agent_id });
      expect(message?.text).to.have.lengthOf(2000);
      expect(await agentsIn(stage.host, "inbox")).to.deep.equal([
        { agent_id, task: "Background", status: "ended", iterations: 1 },
      ]);

      await chatWith(stage, "inbox");
      const newest = (index: number): string =>
        String(callsOf(stage)[from + index]?.messages.findLast(({ role }) => role === "user")?.content);
      expect(newest(1)).to.not.include("<agents>");
      expect(newest(2)).to.include(`<agents>\ninbox: 1 unread, from ${agent_id} (Background)`);
      expect(
        dataOf<{ messages: unknown[] }>((await outcomesOf(stage.host, "inbox"))[1]).messages,
      ).to.deep.include(message);
      expect(
        (await messagesOf(stage.host, "inbox")).filter(({ content }) => content?.includes("<agents>")),
      ).to.deep.equal([]);

      expect(
        await byHand(stage.host, "inbox", "acknowledge", { message_ids: [message?.id, "msg_none"] }),
      ).to.deep.equal({ acknowledged: 1 });
      expect(await inboxOf(stage.host, "inbox")).to.deep.equal([]);
      await chatWith(stage, "inbox");
      expect(newest(4)).to.not.include("<agents>");
    },
  );

  verifies("agents:inbox", "tell of a run that failed, and of one that ran out of iterations", async () => {
    const loop = chatReply({ toolCalls: [labCall("peek", "again")] });
    const wait = { wait: true, maxIterations: 1 };
    stage.provider.play(
      cast([spawning({ task: "Fails", wait: true }, { task: "Loops", ...wait }), saying("ok")], {
        Fails: [chatReply({ error: { status: 400, message: "no such thing" } })],
        Loops: [loop],
      }),
    );
    await chatWith(stage, "failing");
    expect((await spawned("failing", 0)).summary).to.match(/^It failed\.\n./);
    expect((await spawned("failing", 1)).summary).to.include("limit of iterations");
    expect((await runOf(stage.host, "failing")).completion_reason).to.equal("workflow_complete");
  });

  verifies("agents:run", "show agents to their own conversation only", async () => {
    stage.provider.play(cast([spawning({ task: "Mine", wait: true }), saying("ok"), saying("Hello.")]));
    await chatWith(stage, "owner");
    const { agent_id } = await spawned("owner");
    await stage.host.json("POST", "/api/chat/completions", ask("Hi", { conversationId: "stranger" }));
    expect(await agentsIn(stage.host, "stranger")).to.deep.equal([]);
    for (const [operation, more] of [
      ["status", {}],
      ["kill", {}],
      ["send", { message: "x" }],
      ["history", {}],
    ] as const) {
      const refused = await byHand<Outcome>(stage.host, "stranger", operation, { agent_id, ...more });
      expect([operation, refused.error_code]).to.deep.equal([operation, "not_found"]);
    }
    expect(await byHand(stage.host, "stranger", "broadcast", { message: "x" })).to.deep.equal({
      delivered: 0,
    });
    expect(await byHand(stage.host, "stranger", "killall")).to.deep.equal({ killed: 0 });
  });

  verifies("agents:run", "tell how far an agent is and what it said", async () => {
    stage.provider.play(
      cast([spawning({ task: "Tell", wait: true }), saying("ok")], { Tell: [saying("Told.")] }),
    );
    await chatWith(stage, "told");
    const { agent_id } = await spawned("told");
    const status = await byHand<AgentEntry & { last_activity: string; summary: string }>(
      stage.host,
      "told",
      "status",
      { agent_id },
    );
    expect(status).to.include({ agent_id, status: "ended", iterations: 1, summary: "Told." });
    expect(Date.parse(status.last_activity)).to.be.closeTo(Date.now(), 60_000);
    const { messages } = await byHand<{ messages: { role: string; text: string }[] }>(
      stage.host,
      "told",
      "history",
      { agent_id },
    );
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).to.deep.equal([
      "user: Tell",
      "assistant: Told.",
    ]);
    expect(
      (await byHand<Outcome>(stage.host, "told", "send", { agent_id, message: "x" })).error_code,
    ).to.equal("conflict");
  });
});
