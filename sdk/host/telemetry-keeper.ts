import type { CallContext } from "../contract/hooks.ts";
import type { ModelDetails } from "../contract/run-outcome.ts";
import type { RunRecord, RunRequest } from "../contract/run.ts";
import type { TelemetryService } from "../contract/telemetry.ts";

/** What of a run says where its spans belong. */
export type TracedRun = Pick<RunRecord, "id" | "trace">;

/** What of a tool call says the same; `runId` is null for one outside runs. */
export type TracedCall = Pick<CallContext, "runId" | "trace">;

/** A finished call of an embedding model. */
export interface EmbeddingSummary {
  /** As `beginEmbedding` gave it. */
  readonly id: string;
  readonly model: Pick<ModelDetails, "modelId" | "providerType">;
  /** Estimated. */
  readonly inputTokens: number;
  /** Of each vector; absent where it failed. */
  readonly dimensions?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Of docs/errors.md; absent where it did not fail. */
  readonly errorCode?: string;
  /** The W3C traceparent below which its span belongs. */
  readonly trace?: string;
  /** The span above is another program's. */
  readonly isRemote: boolean;
}

/** Traces of runs as the host uses them. All that it gives is a W3C traceparent. */
export interface TelemetryKeeper extends TelemetryService {
  /** What the record of a run gets as `trace`; `above`: the run that started a sub-agent. */
  traceFor(request: Pick<RunRequest, "trace" | "parent">, above: TracedRun | undefined): string | undefined;
  /** Below which the spans of what is done for a run belong; undefined: nothing is traced. */
  traceWithinRun(run: TracedRun): string | undefined;
  /** The same for what a tool call does. */
  traceWithinToolCall(call: TracedCall, callId: string): string | undefined;
  /** To be sent on with a model call that began then, in milliseconds; undefined: nothing is. */
  sentWithModelCall(run: TracedRun, startedAt: number): string | undefined;
  /** The same with a tool call. */
  sentWithToolCall(call: TracedCall, callId: string): string | undefined;
  /** Before a call of an embedding model below `trace`: its id, and what is to be sent on with it. */
  beginEmbedding(trace: string | undefined): { readonly id: string; readonly sent: string | undefined };
  embeddingEnded(call: EmbeddingSummary): void;
}
