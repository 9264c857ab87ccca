import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { ModelCallSummary, RunRecord, ToolCallSummary } from "@pergola/sdk";
import type { EmbeddingSummary } from "@pergola/sdk/host";
import { expect } from "chai";
import { Measures } from "../measures.ts";
import { metricsBody, spanText, tracesBody } from "../otlp.ts";
import type { Span } from "../span.ts";
import { embeddingSpan, modelCallSpan, runSpan, toolCallSpan } from "../spans.ts";

const resource = { "service.name": "pergola", "service.version": "1.2.3" };
const origin = { resource, version: "1.2.3" };

const call = {
  runId: "run_1",
  conversationId: "3f0e",
  model: { modelId: "openai/gpt-5", providerId: "work", providerType: "openai" },
  usage: { promptTokens: 1000, completionTokens: 20, cachedTokens: 512 },
  duration: 1234,
  startedAt: 1_800_000_000_123,
  firstChunk: 250,
  finishReason: "tool_calls",
  responseModel: "gpt-5-2026-01-31",
  error: null,
} as unknown as ModelCallSummary;
const { responseModel: _, ...unanswered } = call;
const failedCall: ModelCallSummary = {
  ...unanswered,
  startedAt: 1_800_000_002_000,
  error: "No.",
  errorCode: "provider_error",
};
const toolCall = {
  call: { id: "call_1", tool: "file_operations", operation: "read_file", arguments: {} },
  context: { conversationId: "3f0e", runId: "run_1" },
  result: { success: false, error: "There is none.", error_code: "not_found" },
  duration: 12.5,
} as unknown as ToolCallSummary;
const run = {
  id: "run_1",
  conversationId: "3f0e",
  kind: "chat",
  parentRunId: null,
  model: "openai/gpt-5",
  provider: "work",
  completionReason: "workflow_complete",
  error: null,
  usage: call.usage,
  cost: 0.0125,
  iterations: 2,
  createdAt: "2027-01-15T08:00:00.000Z",
  endedAt: "2027-01-15T08:00:04.000Z",
  trace: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
} as unknown as RunRecord;

const handCall = { ...toolCall, context: { runId: null, trace: run.trace } } as ToolCallSummary;
const embedding: EmbeddingSummary = {
  id: "one",
  model: { modelId: "gemini/embedding-1", providerType: "gemini" },
  inputTokens: 12,
  dimensions: 768,
  startedAt: 1_800_000_000_500,
  duration: 80,
  isRemote: true,
  ...(run.trace !== undefined && { trace: run.trace }),
};
/** Below a span of ours. */
const ownEmbedding: EmbeddingSummary = { ...embedding, id: "own", isRemote: false };
const failedEmbedding: EmbeddingSummary = {
  id: "other",
  model: embedding.model,
  inputTokens: 3,
  startedAt: 1_800_000_000_700,
  duration: 5,
  errorCode: "provider_error",
  isRemote: true,
};

/** Ends the same spans by the official packages. */
async function sendSpans(url: string, spans: readonly Span[]): Promise<void> {
  for (const { context, parent, kind, name, start, end, attributes, failure } of spans) {
    const { traceId, spanId } = context;
    const provider = new NodeTracerProvider({
      resource: resourceFromAttributes(resource),
      idGenerator: { generateTraceId: () => traceId, generateSpanId: () => spanId },
      spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url }))],
    });
    const above = parent && { traceId, ...parent, traceFlags: 1 };
    const within = above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
    const span = provider.getTracer("pergola", "1.2.3").startSpan(
      name,
      {
        kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: start,
        attributes: attributes as Attributes,
      },
      within,
    );
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(end);
    await provider.shutdown();
  }
}

/** By the official packages. */
function recordEmbeddings(duration: Histogram | undefined, tokens: Histogram | undefined): void {
  const of = {
    "gen_ai.operation.name": "embeddings",
    "gen_ai.provider.name": "gcp.gemini",
    "gen_ai.request.model": "embedding-1",
  };
  for (const { duration: spent, inputTokens, errorCode } of [embedding, failedEmbedding]) {
    duration?.record(spent / 1000, { ...of, ...(errorCode && { "error.type": errorCode }) });
    tokens?.record(inputTokens, { ...of, "gen_ai.token.type": "input" });
  }
}

describe("what is sent to an OpenTelemetry receiver", () => {
  let receiver: Server;
  let url: string;
  const bodies: unknown[] = [];
  before((done) => {
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece.toString()));
      request.on("end", () => {
        bodies.push(JSON.parse(body));
        response.setHeader("content-type", "application/json").end("{}");
      });
    }).listen(0, "127.0.0.1", () => {
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
      done();
    });
  });
  beforeEach(() => (bodies.length = 0));
  after(() => receiver.close());

  const spans = [
    modelCallSpan(call, 0),
    modelCallSpan(failedCall, 0),
    toolCallSpan(toolCall, 1_800_000_003_000.25),
    toolCallSpan(handCall, 1_800_000_003_000.25),
    embeddingSpan(embedding),
    embeddingSpan(ownEmbedding),
    embeddingSpan(failedEmbedding),
    runSpan(run, "openai"),
    runSpan({ ...run, id: "run_2", parentRunId: "run_1" }, "gemini"),
  ];

  it("has the spans that the official exporter sends", async () => {
    await sendSpans(`${url}/v1/traces`, spans);
    const ours = spans.map((span) => JSON.parse(tracesBody(origin, [spanText(span)])) as unknown);
    expect(bodies).to.deep.equal(ours);
  });

  it("has many spans in one body", () => {
    const body = JSON.parse(tracesBody(origin, spans.map(spanText))) as {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: unknown[] }[] }[];
    };
    expect(body.resourceSpans[0]?.scopeSpans[0]?.spans).to.have.lengthOf(spans.length);
  });

  it("has the metrics that the official exporter sends", async () => {
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }),
    });
    const provider = new MeterProvider({ resource: resourceFromAttributes(resource), readers: [reader] });
    const meter = provider.getMeter("pergola", "1.2.3");
    const measures = new Measures();
    const calls: readonly ModelCallSummary[] = [
      call,
      failedCall,
      { ...call, duration: 90_000, firstChunk: 40_000 },
    ];
    for (const one of calls) measures.modelCall(one);
    for (const one of [embedding, failedEmbedding]) measures.embedding(one);
    const asked = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
    };
    const [duration, first, tokens] = measures.instruments.map(({ facts }) =>
      meter.createHistogram(facts.name, {
        description: facts.description,
        unit: facts.unit ?? "",
        advice: { explicitBucketBoundaries: [...(facts.bounds ?? [])] },
      }),
    );
    for (const { duration: spent, firstChunk = 0, usage, errorCode, responseModel } of calls) {
      const of = { ...asked, ...(responseModel && { "gen_ai.response.model": responseModel }) };
      duration?.record(spent / 1000, { ...of, ...(errorCode && { "error.type": errorCode }) });
      first?.record(firstChunk / 1000, of);
      tokens?.record(usage.promptTokens, { ...of, "gen_ai.token.type": "input" });
      tokens?.record(usage.completionTokens, { ...of, "gen_ai.token.type": "output" });
    }
    recordEmbeddings(duration, tokens);
    await provider.shutdown();
    const timeless = (body: unknown): unknown =>
      JSON.parse(JSON.stringify(body), (key, value: unknown) => (/UnixNano$/.test(key) ? "" : value));
    const ours = JSON.parse(metricsBody(origin, measures.instruments, { start: 0, now: 1 })) as unknown;
    expect(timeless(ours)).to.deep.equal(timeless(bodies[0]));
  });
});
