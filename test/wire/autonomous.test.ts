import { expect } from "chai";
import { allChunks, chatReply, contentOf, type ScriptTurn } from "@pergola/sdk/testing";
import { sentBody, sentTurns, storedTurns, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { verifies } from "../support/verifies.ts";

interface Result extends ChatAnswer {
  readonly runId: string;
  readonly conversationId: string;
  readonly finalResponse: string;
  readonly iterationHistory: readonly Readonly<Record<string, unknown>>[];
  readonly toolExecutions: readonly Readonly<Record<string, unknown>>[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: string;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("an autonomous run", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const run = (body: object, script: readonly ScriptTurn[] = [{ text: "Done." }]) => {
    stage.provider.play(script.map(chatReply));
    return stage.host.json<Result>("POST", "/api/chat/autonomous", {
      model: "default",
      messages: [user("Tidy up")],
      ...body,
    });
  };
  const long = { a: "x".repeat(300), nested: { list: [1, 2, 3] } };
  const work: readonly ScriptTurn[] = [
    [
      { text: "I think." },
      {
        toolCalls: [
          { name: "think", arguments: { thoughts: JSON.stringify(long) }, id: "call_a" },
          { name: "nothing", arguments: {}, id: "call_b" },
        ],
      },
      { usage: { promptTokens: 10, completionTokens: 2 } },
    ],
    [{ text: "Done." }, { usage: { promptTokens: 20, completionTokens: 3 } }],
  ];

  verifies("autonomous:result", "tells operations, also of calls that were refused (C21, C23)", async () => {
    const gone = { operation: "read_file", path: "gone.txt" };
    const calls = (...batch: readonly object[]): ScriptTurn => ({
      toolCalls: batch.map((args) => ({ name: "file_operations", arguments: args as never })),
    });
    const { body } = await run({}, [
      calls(gone, { operation: "delete_everything" }),
      calls({ operation: "read_file", path: "other.txt" }),
      calls({ operation: "list_directory", path: "." }),
      { text: "Done." },
    ]);
    const executions = body["toolExecutions"] as readonly {
      toolName: string;
      operation: string;
      result: string;
    }[];
    expect(executions.map(({ toolName, operation }) => [toolName, operation])).to.deep.equal([
      ["file_operations", "read_file"],
      ["file_operations", "delete_everything"],
      ["file_operations", "read_file"],
      ["file_operations", "list_directory"],
    ]);
    expect(executions.at(-1)?.result).to.contain("failed 3 times in a row");
  });

  verifies("chat:metadata", "counts calls of tools that there are (C22)", async () => {
    const { body } = await run({}, work);
    const { tools_used: used, tool_call_count: count } = body.service_metadata.workflow;
    expect([used, count]).to.deep.equal([["think"], 1]);
  });

  verifies(
    ["autonomous:result", "W13"],
    "answers with its history, its executions and its metadata",
    async () => {
      const { status, headers, body } = await run({}, work);
      expect(status).to.equal(200);
      const { id, runId, conversationId, metadata } = body;
      expect(id).to.match(/^chatcmpl-[A-Za-z0-9]{24}$/);
      expect([headers.get("x-run-id"), headers.get("x-conversation-id")]).to.deep.equal([
        runId,
        conversationId,
      ]);
      expect(body).to.deep.include({
        object: "autonomous.workflow.result",
        model: "custom/test",
        finalResponse: "Done.",
        iterations: 2,
        conversation_id: conversationId,
      });
      expect(body.usage).to.deep.equal({ prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 });
      expect(metadata).to.include({ completionReason: "workflow_complete", hadErrors: true, tokensUsed: 35 });
      expect(metadata["totalDuration"]).to.be.a("number");
      expect(body.service_metadata.workflow).to.include({
        iterations: 2,
        tool_call_count: 1,
        completion_reason: "workflow_complete",
      });
      expect(body["created"]).to.be.closeTo(Date.now() / 1000, 5);
    },
  );

  verifies(["autonomous:result", "W13"], "tells each iteration and each call in full", async () => {
    const { body } = await run({}, work);
    expect(
      body.iterationHistory.map(({ timestamp, ...rest }) => (expect(timestamp).to.match(time), rest)),
    ).to.deep.equal([
      { iteration: 1, llmResponse: "I think.", toolsRequested: ["think", "nothing"] },
      { iteration: 2, llmResponse: "Done.", toolsRequested: [] },
    ]);
    const [thought, failed] = body.toolExecutions;
    expect(thought).to.deep.include({
      toolName: "think",
      arguments: { thoughts: JSON.stringify(long) },
      success: true,
      iteration: 1,
    });
    expect(thought?.["toolCallId"]).to.be.a("string").that.is.not.empty;
    expect(thought?.["timestamp"]).to.match(time);
    expect(thought?.["duration_ms"]).to.be.a("number");
    expect(thought?.["result"]).to.be.a("string");
    expect(failed).to.include({ toolName: "nothing", success: false, iteration: 1 });
    expect(failed?.["result"]).to.contain("no tool");
  });

  verifies(["autonomous:result", "W13"], "uses the common completion reasons", async () => {
    const think = (thoughts: string): ScriptTurn => ({
      toolCalls: [{ name: "think", arguments: { thoughts } }],
    });
    const limited = await run({ maxIterations: 2 }, [think("a"), think("b"), think("c")]);
    expect([limited.body.metadata["completionReason"], limited.body["iterations"]]).to.deep.equal([
      "max_iterations_reached",
      2,
    ]);
    for (const more of [{ max_iterations: 1 }, { service_config: { max_iterations: 1 } }])
      expect((await run(more, [think("a")])).body["iterations"]).to.equal(1);
    const failed = await run({}, [think("a"), { error: { status: 500 } }]);
    expect([
      failed.status,
      failed.body.metadata["completionReason"],
      failed.body.metadata["hadErrors"],
    ]).to.deep.equal([200, "error", true]);
    const refused = await run({}, [{ error: { status: 500 } }]);
    expect([refused.status, refused.body.error.code]).to.deep.equal([502, "provider_error"]);
  });

  verifies("autonomous:result", "is told to plan and to work until done", async () => {
    await run({});
    expect(sentBody(stage).messages[0]?.content).to.match(/plan|done/i);
    const auto = String(sentBody(stage).messages[0]?.content);
    stage.provider.play(chatReply({ text: "Hi." }));
    await stage.host.json("POST", "/api/chat/completions", { model: "default", messages: [user("Hi")] });
    expect(String(sentBody(stage).messages[0]?.content).length).to.be.below(auto.length);
  });

  verifies("autonomous:goal", "takes a goal for one user message to the default model", async () => {
    stage.provider.play(chatReply({ text: "Done." }));
    const { status, body } = await stage.host.json<Result>("POST", "/api/chat/autonomous", {
      goal: "Sort my notes",
    });
    expect([status, body.model]).to.deep.equal([200, "custom/test"]);
    expect(sentTurns(stage)).to.deep.equal(["user: Sort my notes"]);
    expect(await storedTurns(stage.host, body.conversationId)).to.deep.equal([
      "user: Sort my notes",
      "assistant: Done.",
    ]);
    for (const bad of [{}, { goal: "" }, { goal: 5 }, { model: "default" }, { messages: [] }]) {
      const refused = await stage.host.json<Result>("POST", "/api/chat/autonomous", bad);
      expect(refused.status, JSON.stringify(bad)).to.equal(400);
    }
  });

  verifies("autonomous:result", "streams like a chat when asked to", async () => {
    stage.provider.play(work.map(chatReply));
    const answer = await stage.host.request("POST", "/api/chat/autonomous", {
      goal: "Tidy up",
      stream: true,
    });
    expect(answer.headers.get("content-type")).to.match(/^text\/event-stream/);
    const chunks = await allChunks(answer);
    expect(contentOf(chunks)).to.equal("I think.\n\nDone.");
    expect(chunks.filter((chunk) => chunk["isToolMessage"] === true).length).to.be.above(1);
  });

  verifies(
    "autonomous:background",
    "in the background answers at once and goes on without its client",
    async () => {
      const seen = promised();
      const { status, headers, body } = await run({ background: true }, [
        [{ until: seen.promise }, { text: "Done." }],
      ]);
      expect(status).to.equal(202);
      expect(body).to.deep.include({
        runId: headers.get("x-run-id"),
        conversationId: headers.get("x-conversation-id"),
        status: "queued",
      });
      const record = await stage.host.json<{ status: string; kind: string }>(
        "GET",
        `/api/runs/${body.runId}`,
      );
      expect(record.body).to.include({ kind: "autonomous" });
      expect(record.body.status).to.be.oneOf(["queued", "running"]);
      seen.keep();
      await (await stage.host.request("GET", `/api/runs/${body.runId}/events`)).text();
      const ended = await stage.host.json<Record<string, unknown>>("GET", `/api/runs/${body.runId}`);
      expect(ended.body).to.include({ status: "ended", completion_reason: "workflow_complete" });
      expect(await storedTurns(stage.host, body.conversationId)).to.deep.equal([
        "user: Tidy up",
        "assistant: Done.",
      ]);
    },
  );

  verifies("autonomous:background", "in the background keeps its failure in its record", async () => {
    const { status, body } = await run({ background: true }, [{ error: { status: 500 } }]);
    expect(status).to.equal(202);
    await (await stage.host.request("GET", `/api/runs/${body.runId}/events`)).text();
    const ended = await stage.host.json<{ completion_reason: string; error: { code: string } }>(
      "GET",
      `/api/runs/${body.runId}`,
    );
    expect([ended.body.completion_reason, ended.body.error.code]).to.deep.equal(["error", "provider_error"]);
    const unknown = await run({ background: true, model: "nothing" });
    expect(unknown.status).to.equal(404);
  });
});
