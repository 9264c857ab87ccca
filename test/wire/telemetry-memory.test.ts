import { jsonReply, type MockReply, type MockRequest, type ScriptedCall } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import { calling, openLab, saying } from "../support/lab-stage.ts";
import { otlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { verifies } from "../support/verifies.ts";

const [traceId, spanAbove] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
const remembering = (operation: string, more: object): ScriptedCall => ({
  name: "memory_operations",
  arguments: { operation, ...more },
});

/** A vector for each text. */
function vectors({ body }: MockRequest): MockReply {
  const { input } = body as { readonly input: readonly string[] };
  const data = input.map((_, index) => ({ object: "embedding", index, embedding: [0.25, 0.5, 1] }));
  return jsonReply({ object: "list", data });
}

/** Everything happens once, before the tests look at what came of it. */
describe("telemetry of what a run remembers", () => {
  let stage: Stage;
  let receiver: OtlpReceiver;
  const asked: MockRequest[] = [];

  before(async () => {
    receiver = await otlpReceiver();
    const replies = [
      calling(remembering("store_memory", { content: "The printer is a Brother." })),
      saying("Noted."),
      calling(
        remembering("search_memory", { query: "printing on paper" }),
        remembering("recall_history", { query: "what we said of machines" }),
      ),
      saying("A Brother."),
    ];
    const answer = (request: MockRequest): MockReply => {
      if (!request.path.endsWith("/embeddings")) return replies.shift() ?? saying("Well.");
      asked.push(request);
      return vectors(request);
    };
    stage = await openLab(answer, {
      settings: {
        "telemetry.otlp_url": receiver.url,
        "telemetry.propagate": true,
        "memory.embedding_model": "custom/vectors",
        "models.overrides": { "custom/vectors": { kind: "embedding" } },
      },
    });
    const chat = (text: string, headers = {}) =>
      stage.host.request("POST", "/api/chat/completions", ask(text, { conversationId: "printer" }), headers);
    await chat("I have a printer");
    await chat("Which printer?", { traceparent: `00-${traceId}-${spanAbove}-01` });
    await stage.end();
  });
  after(() => receiver.close());

  const named = (name: string): readonly ReceivedSpan[] =>
    receiver.spans().filter((span) => span.name === name);
  const below = ({ spanId }: ReceivedSpan): readonly ReceivedSpan[] =>
    named("embeddings vectors").filter(({ parentSpanId }) => parentSpanId === spanId);
  const callOf = (operation: string): ReceivedSpan =>
    named("execute_tool memory_operations").find(
      ({ attributes }) => attributes["pergola.tool.operation"] === operation,
    )!;

  verifies("telemetry:spans", "has the vectors of what a call stores and searches below the call", () => {
    for (const operation of ["store_memory", "search_memory", "recall_history"]) {
      const call = callOf(operation);
      const spans = below(call);
      expect(spans, operation).to.not.deep.equal([]);
      for (const span of spans) expect([span.traceId, span.flags]).to.deep.equal([call.traceId, 0x101]);
    }
  });

  verifies("telemetry:spans", "has the vector of the question to memory below the run, in its trace", () => {
    const run = named("invoke_agent pergola").find((span) => span.traceId === traceId)!;
    expect(run).to.include({ parentSpanId: spanAbove, flags: 0x301 });
    const spans = below(run);
    expect(spans).to.not.deep.equal([]);
    for (const span of spans) expect([span.traceId, span.flags]).to.deep.equal([traceId, 0x101]);
  });

  verifies("telemetry:spans", "leaves no vector of a run in a trace of its own", () => {
    const spans = named("embeddings vectors");
    const ids = new Set(receiver.spans().map(({ spanId }) => spanId));
    expect(spans.filter(({ parentSpanId = "" }) => !ids.has(parentSpanId))).to.deep.equal([]);
    expect(spans).to.have.lengthOf(asked.length);
  });

  verifies("telemetry:propagate", "hands the trace on with them, as the span of their call", () => {
    const sent = asked.map(({ headers }) => String(headers["traceparent"]));
    const spans = named("embeddings vectors");
    expect(sent).to.have.members(spans.map((span) => `00-${span.traceId}-${span.spanId}-01`));
  });
});
