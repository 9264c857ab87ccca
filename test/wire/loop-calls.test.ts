import { expect } from "chai";
import {
  answer,
  calling,
  labCall,
  messagesOf,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  runWith,
  saying,
  sentTo,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { ask, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

describe("calls of a batch", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { workflow: { parallel_tools: 3, max_calls_per_iteration: 5 } } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies("loop:tools", "run, are stored and answered in the order of the calls", async () => {
    lab.texts.set("slow", "the slow one");
    const calls = calling(
      labCall("peek", "slow", { gate: true }),
      labCall("peek", "quick"),
      labCall("keep", "last"),
    );
    const asked = play(stage, [calls, saying("All done.")], { conversationId: "in order" });
    await lab.until("end quick");
    lab.open("slow");
    const { content, workflow } = await asked;
    expect(content).to.equal("All done.");
    expect(workflow).to.include({
      iterations: 2,
      tool_call_count: 3,
      had_errors: false,
      completion_reason: "workflow_complete",
    });
    expect(workflow.tools_used).to.deep.equal(["lab"]);
    const stored = await messagesOf(stage.host, "in order");
    expect(stored.map(({ role }) => role)).to.deep.equal([
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
      "assistant",
    ]);
    const [, calling1, ...rest] = stored;
    expect(calling1?.content).to.equal(null);
    const ids = calling1?.toolCalls?.map(({ id }) => id) ?? [];
    expect(rest.slice(0, 3).map(({ toolCallId }) => toolCallId)).to.deep.equal(ids);
    expect(
      rest.slice(0, 3).map(({ content: result }) => (JSON.parse(result ?? "") as { data: string }).data),
    ).to.deep.equal(["the slow one", "did quick", "did last"]);
    const [back] = [sentTo(stage.provider, -1)];
    expect(back.slice(-3).map(({ role, tool_call_id: id }) => `${role} ${id}`)).to.deep.equal(
      ids.map((id) => `tool ${id}`),
    );
    expect(back.at(-3)?.content).to.equal(rest[0]?.content);
  });

  verifies(
    "loop:parallel",
    "run together where they only read, three at a time; others are barriers",
    async () => {
      const read = (name: string) => labCall("peek", name, { gate: true });
      const batch = calling(
        read("a"),
        labCall("note", "b", { gate: true }),
        labCall("keep", "c", { gate: true }),
        read("d"),
        read("e"),
      );
      const asked = play(stage, [batch, saying("done")], { conversationId: "parallel" });
      await lab.until("start a", "start b");
      expect(lab.log).to.have.members(["start a", "start b"]);
      lab.open("b");
      await lab.until("end b");
      lab.open("a");
      await lab.until("start c");
      expect(lab.log.slice(2)).to.deep.equal(["end b", "end a", "start c"]);
      lab.open("c");
      await lab.until("start d", "start e");
      expect(lab.log[5]).to.equal("end c");
      expect(lab.log.slice(6)).to.have.members(["start d", "start e"]);
      lab.open("d");
      lab.open("e");
      await asked;
      lab.reset();
      const four = play(stage, [calling(read("1"), read("2"), read("3"), read("4")), saying("done")], {
        conversationId: "width",
      });
      await lab.until("start 1", "start 2", "start 3");
      for (const name of "123") lab.open(name);
      await lab.until("start 4");
      expect(lab.log.slice(0, 3)).to.have.members(["start 1", "start 2", "start 3"]);
      expect(lab.log[3]).to.match(/^end/);
      lab.open("4");
      await four;
      expect(lab.log.at(-1)).to.equal("end 4");
    },
  );

  verifies("loop:parallel", "wait behind a question to the person", async () => {
    const question = { name: "user_collaboration", arguments: { prompt: "Red or blue?" } };
    const asked = play(
      stage,
      [calling(labCall("peek", "x"), question, labCall("peek", "y")), saying("done")],
      { conversationId: "asks" },
    );
    const { toolCallId } = await pendingIn(stage.host, "asks");
    expect(lab.log).to.deep.equal(["start x", "end x"]);
    await answer(stage.host, toolCallId, { userResponse: "red" });
    await asked;
    expect(lab.log).to.deep.equal(["start x", "end x", "start y", "end y"]);
  });

  verifies("loop:too-many", "beyond the limit are not run", async () => {
    const names = ["1", "2", "3", "4", "5", "6", "7"];
    const { workflow } = await play(
      stage,
      [calling(...names.map((name) => labCall("peek", name))), saying("ok")],
      {
        conversationId: "many",
      },
    );
    const codes = (await outcomesOf(stage.host, "many")).map(({ error_code: code }) => code);
    expect(codes).to.deep.equal([...Array<undefined>(5), "too_many_calls", "too_many_calls"]);
    expect(lab.log).to.not.include("start 6");
    expect(workflow.completion_reason).to.equal("workflow_complete");
  });

  verifies(["loop:call-ids", "A13"], "keep the provider's ids where they are well formed", async () => {
    const ids = ["call_abc-1", "../../etc/passwd", "x".repeat(65), ""];
    const batch = calling(...ids.map((id, index) => ({ ...labCall("peek", `n${index}`), id })));
    await play(stage, [batch, saying("done")], { conversationId: "ids" });
    const [, asked, ...answers] = await messagesOf(stage.host, "ids");
    const own = asked?.toolCalls?.map(({ id }) => id) ?? [];
    expect(own[0]).to.equal("call_abc-1");
    for (const id of own.slice(1)) expect(id).to.match(/^call_[A-Za-z0-9]{24}$/);
    expect(answers.slice(0, 4).map(({ toolCallId }) => toolCallId)).to.deep.equal(own);
    const seen = sentTo(stage.provider, -1);
    const given = seen.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
    expect(given.slice(0, 3)).to.deep.equal(ids.slice(0, 3));
    expect(seen.filter(({ role }) => role === "tool").map(({ tool_call_id: id }) => id)).to.deep.equal(given);
  });

  verifies(["loop:call-ids", "A14"], "get ids of their own where the provider repeats its ids", async () => {
    const first = { ...labCall("peek", "first"), id: "call_1" };
    const second = { ...labCall("peek", "second"), id: "call_1" };
    await play(
      stage,
      [calling(first, second), calling({ ...labCall("peek", "third"), id: "call_1" }), saying("one")],
      {
        conversationId: "again",
      },
    );
    await play(stage, [calling({ ...labCall("peek", "fourth"), id: "call_1" }), saying("two")], {
      conversationId: "again",
    });
    const stored = (await messagesOf(stage.host, "again")).filter(({ role }) => role === "tool");
    expect(new Set(stored.map(({ toolCallId }) => toolCallId)).size).to.equal(4);
    const seen = sentTo(stage.provider, -1).filter(({ role }) => role === "tool");
    const results = seen.map(
      ({ tool_call_id: id, content }) => `${id} ${(JSON.parse(content ?? "") as { data: string }).data}`,
    );
    expect(results).to.deep.equal([
      "call_1 did first",
      "call_1 did second",
      "call_1 did third",
      "call_1 did fourth",
    ]);
  });

  verifies("A14", "never answer an older question, though the provider gives both calls one id", async () => {
    const wipe = calling({ ...labCall("wipe", "same"), id: "call_7" });
    const folder = { service_config: { working_directory: stage.host.dataDirectory + "/workspaces/shared" } };
    stage.provider.play((request) =>
      JSON.stringify(request.body).includes('"role":"tool"') ? saying("done") : wipe,
    );
    const start = (conversationId: string) =>
      stage.host.json("POST", "/api/chat/completions", ask("Do it", { conversationId, ...folder }));
    const runs = [start("one"), start("two")];
    const [one, two] = [await pendingIn(stage.host, "one"), await pendingIn(stage.host, "two")];
    expect(one.toolCallId).to.not.equal(two.toolCallId);
    await answer(stage.host, one.toolCallId, { approved: true });
    await runWith(stage.host, "one", "ended");
    expect((await runWith(stage.host, "two", "waiting")).pendingToolCallIds).to.deep.equal([two.toolCallId]);
    expect(lab.count("start same")).to.equal(1);
    await answer(stage.host, two.toolCallId, { approved: false });
    await Promise.all(runs);
    expect(lab.count("start same")).to.equal(1);
  });
});
