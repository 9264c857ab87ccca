import { expect } from "chai";
import {
  allChunks,
  chatReply,
  contentOf,
  jsonReply,
  streamChunks,
  streamLines,
  type ScriptStep,
} from "@pergola/sdk/testing";
import { storedTurns, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { verifies } from "../support/verifies.ts";

const think: ScriptStep = { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] };

describe("the end of a chat stream", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, { settings: { "stream.ping_seconds": 1 } });
  });
  after(() => stage.end());

  const open = (more: object = {}, signal?: AbortSignal) =>
    fetch(`${stage.host.url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "default", messages: [user("Hello")], stream: true, ...more }),
      ...(signal === undefined ? {} : { signal }),
    });
  const runOf = async (answer: Response) =>
    (
      await stage.host.json<{ status: string; completion_reason: string | null }>(
        "GET",
        `/api/runs/${answer.headers.get("x-run-id")}`,
      )
    ).body;
  const ended = async (answer: Response) => {
    for (;;) {
      const run = await runOf(answer);
      if (run.status === "ended") return run.completion_reason;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  verifies(
    ["stream:headers-late", "S07"],
    "is a plain HTTP error when it fails before the first byte",
    async () => {
      stage.provider.play(chatReply({ error: { status: 503, message: "overloaded" } }));
      const answer = await open();
      expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([
        502,
        "application/json; charset=utf-8",
      ]);
      expect(((await answer.json()) as ChatAnswer).error).to.include({
        code: "provider_error",
        type: "server_error",
      });
    },
  );

  verifies(
    "stream:headers-late",
    "is in the stream once the provider has begun, though nothing is to be seen of it yet",
    async () => {
      stage.provider.play(chatReply([{ reasoning: "hidden thoughts" }, { error: { status: 500 } }]));
      const answer = await open();
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.match(/data: \{"error":/);
    },
  );

  verifies(
    ["stream:headers-late", "stream:ping", "S04"],
    "comes after headers and pings when the provider is slow",
    async () => {
      stage.provider.play(chatReply([{ delayMs: 1200 }, { error: { status: 500 } }]));
      const begun = performance.now();
      const answer = await open();
      expect(answer.status).to.equal(200);
      expect(performance.now() - begun).to.be.at.least(950);
      expect(answer.headers.get("x-run-id")).to.match(/^run_/);
      const lines: string[] = [];
      for await (const line of streamLines(answer)) lines.push(line);
      expect(lines.at(-1)).to.equal("[DONE]");
      expect(JSON.parse(lines.at(-2) ?? "")).to.have.nested.property("error.code", "provider_error");
    },
  ).timeout(5000);

  verifies(["stream:ping", "S04"], "is kept alive by comments in every silence", async () => {
    stage.provider.play(chatReply([{ text: "One" }, { delayMs: 1200 }, { text: " two" }]));
    const text = await (await open()).text();
    expect(text).to.match(/One[^]*\n\n: ping\n\n[^]* two/);
    expect(text.match(/: ping/g)?.length).to.equal(1);
  }).timeout(5000);

  verifies(
    ["stream:error-line", "S07"],
    "is a text, an error line and [DONE] when it fails later",
    async () => {
      stage.provider.play([
        chatReply([{ text: "Working." }, think]),
        chatReply({ error: { status: 500, message: "Broken at /home/x sk-verysecretkey0123456789" } }),
      ]);
      const answer = await open();
      const lines: string[] = [];
      for await (const line of streamLines(answer)) lines.push(line);
      expect(lines.at(-1)).to.equal("[DONE]");
      const { error, service_metadata: metadata } = JSON.parse(lines.at(-2) ?? "") as ChatAnswer;
      expect(error).to.include({ code: "provider_error", type: "server_error" });
      expect(error.message).to.not.contain("sk-verysecretkey");
      expect(metadata.workflow).to.include({ completion_reason: "error", had_errors: true });
      const chunks = lines
        .slice(0, -2)
        .map((line) => JSON.parse(line) as Awaited<ReturnType<typeof allChunks>>[number]);
      expect(chunks.at(-1)?.choices?.[0]?.delta).to.deep.equal({ content: `\n\nError: ${error.message}` });
      expect(chunks.some(({ choices }) => typeof choices?.[0]?.finish_reason === "string")).to.equal(false);
      expect(chunks.some((chunk) => "usage" in chunk)).to.equal(false);
      expect(await ended(answer)).to.equal("error");
    },
  );

  verifies(
    "stream:cancelled",
    "is a final chunk and the usage when the run is cancelled elsewhere",
    async () => {
      stage.provider.play(chatReply([{ text: "One" }, { hang: true }]));
      const answer = await open();
      const deleted = await stage.host.request("DELETE", `/api/runs/${answer.headers.get("x-run-id")}`);
      expect(deleted.status).to.equal(202);
      const chunks = await allChunks(answer);
      expect(chunks.at(-2)?.choices?.[0]).to.deep.equal({ index: 0, delta: {}, finish_reason: "stop" });
      expect((chunks.at(-1) as unknown as ChatAnswer).service_metadata.workflow).to.include({
        completion_reason: "cancelled",
        had_errors: false,
      });
      expect(contentOf(chunks)).to.equal("One");
    },
  );

  describe("when the client goes away", () => {
    const leaving = async (more: object) => {
      stage.provider.play(chatReply([{ text: "One" }, { hang: true }]));
      const [leave, number] = [new AbortController(), stage.provider.requests.length];
      const answer = await open(more, leave.signal);
      for await (const chunk of streamChunks(answer)) if (chunk.choices?.[0]?.delta.content === "One") break;
      leave.abort();
      return { answer, asked: await stage.provider.request(number) };
    };

    verifies(
      ["stream:client-close", "S08"],
      "cancels the run, stops the provider and keeps the text",
      async () => {
        const { answer, asked } = await leaving({});
        expect(await asked.outcome).to.equal("aborted");
        expect(await ended(answer)).to.equal("cancelled");
        expect(await storedTurns(stage.host, answer.headers.get("x-conversation-id") ?? "")).to.deep.equal([
          "user: Hello",
          "assistant: One",
        ]);
      },
    );

    verifies(["stream:client-close", "S08"], "cancels a run whose answer was to come whole", async () => {
      stage.provider.play(chatReply([{ text: "One" }, { hang: true }]));
      const [leave, number] = [new AbortController(), stage.provider.requests.length];
      const answer = open({ stream: false, conversationId: "left" }, leave.signal).catch(() => undefined);
      const asked = await stage.provider.request(number);
      leave.abort();
      await answer;
      expect(await asked.outcome).to.equal("aborted");
      const { runs } = (
        await stage.host.json<{ runs: readonly { status: string }[] }>("GET", "/api/runs?conversationId=left")
      ).body;
      expect(runs.length).to.equal(1);
    });

    verifies(["stream:client-close", "S08"], "cancels before the provider has said anything", async () => {
      stage.provider.play({ body: [{ hang: true }] });
      const [leave, number] = [new AbortController(), stage.provider.requests.length];
      const answer = open({}, leave.signal).catch(() => undefined);
      const asked = await stage.provider.request(number);
      leave.abort();
      await answer;
      expect(await asked.outcome).to.equal("aborted");
    });

    verifies("stream:client-close", "lets the run go on when the request says so", async () => {
      stage.provider.play(chatReply([{ text: "One" }, { delayMs: 200 }, { text: " two" }]));
      const leave = new AbortController();
      const answer = await open({ service_config: { on_client_close: "continue" } }, leave.signal);
      for await (const chunk of streamChunks(answer)) if (chunk.choices?.[0]?.delta.content === "One") break;
      leave.abort();
      expect(await ended(answer)).to.equal("workflow_complete");
      expect(await storedTurns(stage.host, answer.headers.get("x-conversation-id") ?? "")).to.deep.equal([
        "user: Hello",
        "assistant: One two",
      ]);
    });

    verifies(
      "stream:client-close",
      "lets runs go on by preference, unless the request says otherwise",
      async () => {
        const other = await openStage(undefined, { settings: { "runs.on_client_close": "continue" } });
        for (const [more, reason] of [
          [{}, "workflow_complete"],
          [{ service_config: { on_client_close: "cancel" } }, "cancelled"],
        ] as const) {
          const left = promised();
          other.provider.play(
            chatReply([{ text: "One" }, { until: left.promise }, { delayMs: 100 }, { text: " two" }]),
          );
          const leave = new AbortController();
          const body = JSON.stringify({ model: "default", messages: [user("Hello")], stream: true, ...more });
          const answer = await fetch(`${other.host.url}/v1/chat/completions`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body,
            signal: leave.signal,
          });
          const live = other.host.services.runs.live(answer.headers.get("x-run-id") ?? "");
          leave.abort();
          if (reason === "workflow_complete") left.keep();
          expect((await live?.done)?.run.completionReason).to.equal(reason);
        }
        await other.end();
      },
    );
  });

  verifies("W11", "names the provider's fault, not its raw page", async () => {
    stage.provider.play(
      jsonReply("<html><body><h1>Bad gateway</h1><script>x()</script></body></html>", { status: 502 }),
    );
    const { error } = (await (await open()).json()) as ChatAnswer;
    expect(error.message)
      .to.match(/^Custom answered 502/)
      .and.not.contain("<html>");
  });
});
