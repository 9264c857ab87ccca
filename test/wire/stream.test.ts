import { expect } from "chai";
import {
  allChunks,
  chatReply,
  contentOf,
  streamChunks,
  type ScriptStep,
  type ScriptTurn,
  type StreamChunk,
} from "@pergola/sdk/testing";
import { user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { verifies } from "../support/verifies.ts";

const think: ScriptStep = { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] };
const waitingNote = /^\[Waiting for your answer: .*\]\n\n/;
const usage = { usage: { promptTokens: 9, completionTokens: 4 } };

describe("a chat stream", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const open = (script: readonly ScriptTurn[], more: object = {}, at = stage) => {
    at.provider.play(script.map(chatReply));
    return at.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages: [user("Hello")],
      stream: true,
      ...more,
    });
  };
  const chunksOf = async (script: readonly ScriptTurn[], more: object = {}, at = stage) =>
    allChunks(await open(script, more, at));
  const reasons = (chunks: readonly StreamChunk[]) =>
    chunks.flatMap(({ choices }) => choices?.[0]?.finish_reason ?? []);

  verifies(["stream:transport", "S02", "S10"], "has the documented status, headers and framing", async () => {
    const answer = await open([{ text: ["Hel", "lo\nyou"] }]);
    expect(answer.status).to.equal(200);
    const { headers } = answer;
    expect(headers.get("content-type")).to.equal("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).to.equal("no-cache");
    expect(headers.get("x-accel-buffering")).to.equal("no");
    expect(headers.get("connection")).to.equal("keep-alive");
    expect(headers.get("x-run-id")).to.match(/^run_[0-9a-f]{32}$/);
    expect(headers.get("x-conversation-id")).to.match(/^[0-9a-f-]{36}$/);
    const text = await answer.text();
    expect(text.endsWith("data: [DONE]\n\n")).to.equal(true);
    for (const block of text.split("\n\n").slice(0, -2)) {
      expect(block).to.match(/^data: \{.*\}$/);
      expect(JSON.parse(block.slice(6))).to.not.have.property("type");
    }
  });

  verifies(
    ["stream:order", "S03", "S05"],
    "is role, content, one final chunk, usage, [DONE], all with one id",
    async () => {
      const chunks = await chunksOf([
        [{ text: "Let me think." }, think, usage],
        [{ text: ["Do", "ne."] }, usage],
      ]);
      const [first] = chunks;
      expect(first?.choices).to.deep.equal([{ index: 0, delta: { role: "assistant" }, finish_reason: null }]);
      expect(new Set(chunks.map(({ id }) => id)).size).to.equal(1);
      expect(first?.id).to.match(/^chatcmpl-[A-Za-z0-9]{24}$/);
      expect(
        new Set(
          chunks.map(
            (chunk) => `${String(chunk["object"])} ${String(chunk["created"])} ${String(chunk["model"])}`,
          ),
        ).size,
      ).to.equal(1);
      expect(first).to.include({ object: "chat.completion.chunk", model: "custom/test" });
      expect(reasons(chunks)).to.deep.equal(["stop"]);
      expect(chunks.at(-2)?.choices).to.deep.equal([{ index: 0, delta: {}, finish_reason: "stop" }]);
      const last = chunks.at(-1) as unknown as ChatAnswer;
      expect(last.choices).to.deep.equal([]);
      expect(last.usage).to.deep.equal({ prompt_tokens: 18, completion_tokens: 8, total_tokens: 26 });
      expect(last.service_metadata.workflow).to.include({
        iterations: 2,
        completion_reason: "workflow_complete",
      });
      expect(last).to.not.have.property("sam_metadata");
      for (const { choices } of chunks.slice(0, -1)) expect(choices?.length).to.equal(1);
    },
  );

  verifies(
    ["stream:order", "C12"],
    "ends with the finish_reason of the model's last call, or of the limit",
    async () => {
      expect(reasons(await chunksOf([[{ text: "Hi" }, { type: "end", reason: "length" }]]))).to.deep.equal([
        "length",
      ]);
      expect(reasons(await chunksOf([think], { maxIterations: 1 }))).to.deep.equal(["length"]);
    },
  );

  verifies("stream:iterations", "parts the text of a later iteration by two line feeds", async () => {
    const chunks = await chunksOf([[{ text: "One." }, think], think, [{ text: "Two." }]]);
    expect(contentOf(chunks)).to.equal("One.\n\nTwo.");
    const parts = chunks
      .map(({ choices }) => choices?.[0]?.delta.content)
      .filter((content) => content !== undefined && content !== "");
    expect(parts).to.deep.equal(["One.", "\n\n", "Two."]);
    expect(contentOf(await chunksOf([think, [{ text: "Only." }]]))).to.equal("Only.");
  });

  verifies("stream:order", "holds reasoning only when it is asked for", async () => {
    const script: ScriptTurn[] = [
      [{ reasoning: ["Hm", "m."] }, { text: "<thi" }, { text: "nk>Ha.</think>Hi." }],
    ];
    const thoughts = (chunks: readonly StreamChunk[]) =>
      chunks
        .map(({ choices }) => (choices?.[0]?.delta["reasoning_content"] as string | undefined) ?? "")
        .join("");
    const plain = await chunksOf(script);
    expect([thoughts(plain), contentOf(plain)]).to.deep.equal(["", "Hi."]);
    const shown = await chunksOf(script, { service_config: { thinking: { include_thinking: true } } });
    expect([thoughts(shown), contentOf(shown)]).to.deep.equal(["Hmm.Ha.", "Hi."]);
  });

  verifies("C23", "never lets markup of the model through, wherever it is split", async () => {
    const text =
      '<think>x</think>A<tool_call>{"name":"think","arguments":{"thoughts":"y"}}</tool_call>B<!--session:{"title":"Title"}-->C';
    for (const size of [1, 7, 30]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(contentOf(await chunksOf([{ text: pieces }, { text: "D" }])), `pieces of ${size}`).to.equal(
        "ABC\n\nD",
      );
    }
  });

  verifies(
    ["stream:usage-chunk", "S04"],
    "ends with the usage unless the client or the preference says otherwise",
    async () => {
      const hasUsage = async (more: object, at?: Stage) =>
        (await chunksOf([{ text: "Hi" }], more, at)).some((chunk) => "usage" in chunk);
      expect(await hasUsage({})).to.equal(true);
      expect(await hasUsage({ stream_options: { include_usage: false } })).to.equal(false);
      expect(await hasUsage({ streamOptions: { includeUsage: false } })).to.equal(false);
      for (const mode of ["requested", "never"]) {
        const other = await openStage(undefined, { settings: { "stream.usage_chunk": mode } });
        expect(await hasUsage({}, other)).to.equal(false);
        expect(await hasUsage({ stream_options: { include_usage: true } }, other)).to.equal(true);
        await other.end();
      }
      const legacy = (await chunksOf([{ text: "Hi" }], { service_config: { legacy_metadata: true } })).at(-1);
      expect(legacy?.["sam_metadata"]).to.deep.equal(legacy?.["service_metadata"]);
    },
  );

  verifies(["stream:live", "S01"], "forwards each delta as it comes", async () => {
    const [one, two] = [promised(), promised()];
    const answer = await open([
      [{ text: "One" }, { until: one.promise }, { text: " two" }, { until: two.promise }, { text: " three" }],
    ]);
    let text = "";
    for await (const chunk of streamChunks(answer)) {
      text += chunk.choices?.[0]?.delta.content ?? "";
      if (text === "One") one.keep();
      if (text === "One two") two.keep();
    }
    expect(text).to.equal("One two three");
  });

  verifies(["stream:live", "S09"], "never splits a character", async () => {
    const pieces = "a😀b👩‍👩‍👧é".split("");
    for (const more of [{}, { service_config: { bypass_processing: true } }]) {
      const chunks = await chunksOf([{ text: pieces }], more);
      expect(contentOf(chunks)).to.equal("a😀b👩‍👩‍👧é");
      for (const chunk of chunks) expect(chunk.choices?.[0]?.delta.content ?? "").to.not.match(/\p{Cs}/u);
    }
  });

  verifies("stream:tool-events", "tells each call's states, in order, with empty content", async () => {
    const chunks = await chunksOf([
      {
        toolCalls: [
          { name: "think", arguments: { thoughts: "hm" } },
          { name: "nothing", arguments: {} },
        ],
      },
      { text: "Done." },
    ]);
    const events = chunks.filter((chunk) => chunk["isToolMessage"] === true);
    for (const { choices } of events)
      expect(choices).to.deep.equal([{ index: 0, delta: { content: "" }, finish_reason: null }]);
    const states = (name: string) =>
      events.filter((event) => event["toolName"] === name).map((event) => event["toolStatus"]);
    expect(states("think")).to.deep.equal(["running", "success"]);
    expect(states("nothing")).to.deep.equal(["error"]);
    const done = events.find((event) => event["toolStatus"] === "success");
    expect(done).to.include({ toolName: "think", toolOperation: "thinking" });
    expect(done?.["toolDisplayData"]).to.include.all.keys(
      "action",
      "actionDisplayName",
      "summary",
      "details",
      "status",
      "icon",
      "metadata",
    );
    expect(done?.["toolMetadata"]).to.include.all.keys("duration_ms", "error_code", "resultId", "bytes");
    expect(
      new Set(
        events.filter((event) => event["toolName"] === "think").map((event) => event["toolExecutionId"]),
      ).size,
    ).to.equal(1);
    expect(contentOf(chunks)).to.equal("Done.");
  });

  verifies("stream:tool-events", "leaves them out when they are switched off", async () => {
    const count = async (more: object, at?: Stage) =>
      (await chunksOf([think, { text: "Done." }], more, at)).filter(
        (chunk) => "isToolMessage" in chunk || "event" in chunk,
      ).length;
    expect(await count({ stream_options: { include_tool_events: false } })).to.equal(0);
    const quiet = await openStage(undefined, { settings: { "stream.tool_events": false } });
    expect(await count({}, quiet)).to.equal(0);
    await quiet.end();
  });

  verifies(
    ["stream:question-events", "S06", "S11"],
    "carries questions and their ends as events, also when tool events are off",
    async () => {
      for (const include_tool_events of [true, false]) {
        const ask: ScriptTurn = {
          toolCalls: [
            { name: "user_collaboration", arguments: { prompt: "Which colour?", options: ["red", "blue"] } },
          ],
        };
        const answer = await open([ask, { text: "Red it is." }], { stream_options: { include_tool_events } });
        const chunks: StreamChunk[] = [];
        for await (const chunk of streamChunks(answer)) {
          chunks.push(chunk);
          if (chunk.event?.type !== "user_input_required") continue;
          const { toolCallId } = chunk.event as unknown as { toolCallId: string };
          await stage.host.request("POST", "/api/chat/tool-response", {
            toolCallId,
            userResponse: "crimson",
          });
        }
        const [asked, closed] = chunks.filter(({ event }) => event?.type.startsWith("user_input") === true);
        expect(asked?.choices).to.deep.equal([{ index: 0, delta: { content: "" }, finish_reason: null }]);
        expect(asked?.event).to.include({
          kind: "question",
          prompt: "Which colour?",
          tool: "user_collaboration",
          operation: "request_input",
        });
        expect(asked?.event).to.deep.include({
          options: ["red", "blue"],
          conversationId: answer.headers.get("x-conversation-id"),
          runId: answer.headers.get("x-run-id"),
        });
        expect(asked?.event).to.have.all.keys(
          "type toolCallId approvalId runId conversationId kind prompt context tool operation arguments paths authorize_operation options preview expiresAt".split(
            " ",
          ),
        );
        expect(closed?.event).to.deep.include({
          type: "user_input_resolved",
          approvalId: asked?.event?.["approvalId"],
          status: "answered",
          decision: "text",
        });
        expect(contentOf(chunks).replace(waitingNote, "")).to.equal("Red it is.");
        const deltas = chunks.map(({ choices }) => choices?.[0]?.delta);
        expect(JSON.stringify(deltas)).to.not.contain("crimson").and.not.contain("Which colour");
        expect(deltas.some((delta) => delta?.["role"] === "user")).to.equal(false);
      }
    },
  );

  verifies("stream:tool-events", "tells of a title and of a raised limit", async () => {
    const raise: ScriptTurn = {
      toolCalls: [
        { name: "increase_max_iterations", arguments: { requested_iterations: 400, reason: "more" } },
      ],
    };
    const chunks = await chunksOf([raise, { text: 'Hi.<!--session:{"title":"A fine title"}-->' }]);
    const events = chunks.flatMap(({ event }) => event ?? []);
    expect(events).to.deep.include({ type: "limit_changed", max_iterations: 400 });
    expect(events).to.deep.include({ type: "title", title: "A fine title" });
  });
});
