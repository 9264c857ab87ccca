import { randomUUID } from "node:crypto";
import type { ModelCallSummary, RunRecord, ToolCallSummary } from "@pergola/sdk";
import type {
  EmbeddingSummary,
  PartLife,
  Parts,
  TelemetryKeeper,
  TracedCall,
  TracedRun,
} from "@pergola/sdk/host";
import { Content } from "./content.ts";
import { Counts } from "./counts.ts";
import { Exporter } from "./exporter.ts";
import { Measures } from "./measures.ts";
import { embeddingSpan, modelCallSpan, runSpan, toolCallSpan } from "./spans.ts";
import {
  contextBelow,
  contextOfModelCall,
  contextOfRun,
  contextOfToolCall,
  readTraceparent,
  traceparentOf,
  type TraceContext,
} from "./trace-context.ts";

type Started = Parameters<TelemetryKeeper["traceFor"]>[0];

/** Providers whose kinds are remembered for the spans of their runs. */
const mostProviders = 1000;

/** Counts what runs do, and sends it to the receiver of the settings, where they name one. */
export class Telemetry implements TelemetryKeeper, PartLife {
  readonly #parts: Parts;
  readonly #counts = new Counts();
  readonly #measures = new Measures();
  readonly #exporter: Exporter | undefined;
  readonly #providerTypes = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const url = parts.preferences.get<string>("telemetry.otlp_url");
    const counted = (count: number, outcome: "sent" | "dropped"): void => this.#counts.spans(count, outcome);
    this.#exporter = url === "" ? undefined : new Exporter(parts, url, this.#measures, counted);
  }

  exposition(): string {
    return this.#counts.exposition();
  }

  modelCallEnded(call: ModelCallSummary): void {
    this.#counts.modelCall(call);
    if (this.#exporter === undefined) return;
    this.#measures.modelCall(call);
    const { providerId, providerType } = call.model;
    if (this.#providerTypes.size < mostProviders) this.#providerTypes.set(providerId, providerType);
    this.#exporter.add(modelCallSpan(call, this.#parts.clock.now(), this.#content()));
  }

  toolCallEnded(call: ToolCallSummary): void {
    this.#counts.toolCall(call);
    this.#exporter?.add(toolCallSpan(call, this.#parts.clock.now(), this.#content()));
  }

  embeddingEnded(call: EmbeddingSummary): void {
    if (this.#exporter === undefined) return;
    this.#measures.embedding(call);
    this.#exporter.add(embeddingSpan(call));
  }

  /** One that the service's stop interrupts has not ended: it may go on after the next start. */
  runEnded(run: RunRecord): void {
    if (run.status !== "ended") return;
    this.#counts.run(run);
    this.#exporter?.add(runSpan(run, this.#providerTypes.get(run.provider) ?? run.provider));
  }

  traceFor({ trace, parent }: Started, above: TracedRun | undefined): string | undefined {
    if (this.#exporter === undefined && !this.#propagates) return undefined;
    if (parent === undefined) return handedOn(trace);
    if (above === undefined || this.#exporter === undefined) return above?.trace;
    const { callId } = parent;
    if (callId === undefined) return this.traceWithinRun(above);
    return this.traceWithinToolCall({ runId: above.id, ...above }, callId);
  }

  traceWithinRun(run: TracedRun): string | undefined {
    if (this.#exporter === undefined) return this.#propagates ? handedOn(run.trace) : undefined;
    return traceparentOf(contextOfRun(run));
  }

  traceWithinToolCall(call: TracedCall, callId: string): string | undefined {
    if (this.#exporter === undefined) return this.#propagates ? handedOn(call.trace) : undefined;
    return traceparentOf(contextOfToolCall(call, callId));
  }

  sentWithModelCall(run: TracedRun, startedAt: number): string | undefined {
    return this.#sent(run, () => contextOfModelCall(run, startedAt));
  }

  sentWithToolCall(call: TracedCall, callId: string): string | undefined {
    return this.#sent(call, () => contextOfToolCall(call, callId));
  }

  beginEmbedding(trace: string | undefined): ReturnType<TelemetryKeeper["beginEmbedding"]> {
    const id = randomUUID();
    return { id, sent: this.#sent({ trace }, () => contextBelow(trace, id)) };
  }

  async stop(): Promise<void> {
    await this.#exporter?.stop();
  }

  get #propagates(): boolean {
    return this.#parts.preferences.get<boolean>("telemetry.propagate");
  }

  /** Who records no spans hands on what came. */
  #sent({ trace }: { readonly trace?: string | undefined }, context: () => TraceContext): string | undefined {
    if (!this.#propagates) return undefined;
    return this.#exporter === undefined ? handedOn(trace) : traceparentOf(context());
  }

  #content(): Content | undefined {
    if (!this.#parts.preferences.get<boolean>("telemetry.content")) return undefined;
    return new Content((value) => this.#parts.redactJson(value));
  }
}

/** What came as a traceparent; undefined where it was none. */
function handedOn(trace: string | undefined): string | undefined {
  const given = readTraceparent(trace);
  return given && traceparentOf(given);
}
