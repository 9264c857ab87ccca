import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { type Stage } from "../support/host.ts";
import { calling, labCall, openLab, outcomesOf, play, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const codesOf = async (stage: Stage, conversation: string) =>
  (await outcomesOf(stage.host, conversation)).map(({ error_code: code = "ok" }) => code);
const empty = chatReply([]);

describe("guards of the loop", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab();
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies(
    ["loop:repeated", "W02"],
    "the third identical batch in a row is not run, and the run ends when the model insists",
    async () => {
      const spellings = [
        { operation: "keep", name: "a", times: 2 },
        { times: "2", name: "a", operation: "KEEP" },
      ];
      const batch = (index: number) =>
        calling({
          name: index % 2 ? "LAB" : "lab",
          arguments: spellings[index % 2] as object as { operation: string },
        });
      const { body, workflow } = await play(stage, (_, index) => batch(index), { conversationId: "repeats" });
      expect(lab.count("start a")).to.equal(2);
      expect(workflow).to.include({
        completion_reason: "tool_execution_failed",
        iterations: 8,
        had_errors: true,
      });
      expect(body.choices[0]?.finish_reason).to.equal("stop");
      expect(await codesOf(stage, "repeats")).to.deep.equal([
        "ok",
        "ok",
        ...Array<string>(6).fill("repeated_call"),
      ]);
    },
  );

  verifies("loop:repeated", "another operation with the same arguments is another call", async () => {
    const turns = ["peek", "note", "keep", "peek", "note", "keep"].map((operation) =>
      calling(labCall(operation, "a")),
    );
    await play(stage, [...turns, saying("done")], { conversationId: "differs" });
    const aliases = ["lab_peek", "lab_keep", "lab_peek"].map((name) =>
      calling({ name, arguments: { name: "a" } }),
    );
    await play(stage, [...aliases, saying("done")], { conversationId: "differs too" });
    expect([...(await codesOf(stage, "differs")), ...(await codesOf(stage, "differs too"))]).to.deep.equal(
      Array(9).fill("ok"),
    );
  });

  verifies(
    "loop:suspended",
    "a family that failed three times is suspended until another succeeds",
    async () => {
      const fails = (name: string) => calling(labCall("peek", name, { fail: "generic_error" }));
      const spare = calling({ name: "lab_spare", arguments: { name: "spare" } });
      const script = [
        fails("1"),
        fails("2"),
        fails("3"),
        calling(labCall("peek", "4")),
        spare,
        calling(labCall("peek", "5")),
        saying("done"),
      ];
      const { workflow } = await play(stage, script, { conversationId: "suspended" });
      const outcomes = await outcomesOf(stage.host, "suspended");
      const failed = ["generic_error", "generic_error", "generic_error", "tool_suspended"];
      expect(outcomes.map(({ error_code: code = "ok" }) => code)).to.deep.equal([...failed, "ok", "ok"]);
      expect(outcomes[1]?.message).to.not.match(/stop using lab/i);
      expect(outcomes[2]?.message).to.match(/stop using lab/i);
      expect(lab.log).to.not.include("start 4");
      expect(workflow).to.include({ completion_reason: "workflow_complete", had_errors: true });
    },
  );

  verifies("loop:suspended", "a success in between counts from the beginning", async () => {
    const turn = (name: string, fail?: string) =>
      calling(labCall("peek", name, fail === undefined ? {} : { fail }));
    const script = [
      turn("1", "timeout"),
      turn("2", "timeout"),
      turn("3"),
      turn("4", "timeout"),
      turn("5", "timeout"),
      turn("6"),
    ];
    await play(stage, [...script, saying("done")], { conversationId: "recovers" });
    expect(await codesOf(stage, "recovers")).to.deep.equal([
      "timeout",
      "timeout",
      "ok",
      "timeout",
      "timeout",
      "ok",
    ]);
  });

  verifies(["loop:exhausted", "W03"], "six failures in a row end the run", async () => {
    const fails = (index: number) => ({
      name: index % 2 ? "lab" : "lab_spare",
      arguments: { operation: index % 2 ? "peek" : "work", name: `${index}`, fail: "timeout" },
    });
    const { workflow } = await play(stage, (_, index) => calling(fails(index)), {
      conversationId: "exhausted",
    });
    expect(workflow).to.include({
      completion_reason: "tool_execution_failed",
      iterations: 6,
      tool_call_count: 6,
      had_errors: true,
    });
    expect((await codesOf(stage, "exhausted")).slice(0, 4)).to.deep.equal(Array(4).fill("timeout"));
  });

  verifies("loop:empty", "an empty answer is nudged once, and the nudge is nobody's message", async () => {
    const nudged = await play(stage, [empty, saying("Sorry.")], { conversationId: "empty" });
    expect([nudged.content, nudged.workflow.iterations]).to.deep.equal(["Sorry.", 2]);
    const before = stage.provider.requests.length;
    const given = await play(stage, [empty, empty, saying("never")], { conversationId: "empty" });
    expect(stage.provider.requests.length - before).to.equal(2);
    expect(given.workflow).to.include({ completion_reason: "workflow_complete", iterations: 2 });
    expect(given.content).to.equal("");
    const { body } = await stage.host.json<{ messages: { role: string; content: string }[] }>(
      "GET",
      "/v1/conversations/empty",
    );
    expect(body.messages.map(({ role, content }) => `${role} ${content}`)).to.deep.equal([
      "user Do it",
      "assistant Sorry.",
      "user Do it",
    ]);
  });

  verifies("loop:limit", "the last iteration's calls are not run", async () => {
    const script = [calling(labCall("peek", "1")), calling(labCall("peek", "2"))];
    const { body, workflow } = await play(stage, script, {
      conversationId: "limit",
      service_config: { max_iterations: 2 },
    });
    expect(workflow).to.include({
      completion_reason: "max_iterations_reached",
      iterations: 2,
      max_iterations: 2,
      tool_call_count: 1,
    });
    expect(body.choices[0]?.finish_reason).to.equal("length");
    expect(lab.log).to.deep.equal(["start 1", "end 1"]);
    const stored = await outcomesOf(stage.host, "limit");
    expect(stored).to.have.lengthOf(1);
  });

  verifies("loop:dynamic-limit", "increase_max_iterations raises the limit of this run", async () => {
    const raise = (total: number) =>
      calling({
        name: "increase_max_iterations",
        arguments: { requested_iterations: total, reason: "more to do" },
      });
    const script = [raise(4), calling(labCall("peek", "1")), calling(labCall("peek", "2")), saying("done")];
    const { workflow } = await play(stage, script, {
      conversationId: "raised",
      service_config: { max_iterations: 2 },
    });
    expect(workflow).to.include({ completion_reason: "workflow_complete", iterations: 4, max_iterations: 4 });
    const [first] = await outcomesOf(stage.host, "raised");
    expect(JSON.parse(first?.data ?? "")).to.include({ previousMax: 2, newMax: 4, currentIteration: 1 });
    const refused = [raise(2), raise(1001), calling(labCall("peek", "1")), saying("done")];
    await play(stage, refused, { conversationId: "too high", service_config: { max_iterations: 5 } });
    expect(await codesOf(stage, "too high")).to.deep.equal(["invalid_value", "invalid_value", "ok"]);
  });

  verifies("loop:dynamic-limit", "a request can switch it off", async () => {
    const raise = calling({
      name: "increase_max_iterations",
      arguments: { requested_iterations: 9, reason: "more" },
    });
    const config = { service_config: { max_iterations: 3, enable_dynamic_iterations: false } };
    const { workflow } = await play(stage, [raise, saying("done")], { conversationId: "fixed", ...config });
    expect(await codesOf(stage, "fixed")).to.deep.equal(["tool_disabled"]);
    expect(workflow.max_iterations).to.equal(3);
    const offered = (stage.provider.requests.at(-2)?.body as { tools: { function: { name: string } }[] })
      .tools;
    expect(offered.map(({ function: { name } }) => name)).to.not.include("increase_max_iterations");
  });
});
