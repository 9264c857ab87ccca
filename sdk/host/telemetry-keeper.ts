import type { RunRecord, RunRequest } from "../contract/run.ts";
import type { TelemetryService } from "../contract/telemetry.ts";

/** What of a run says where its spans belong. */
export type TracedRun = Pick<RunRecord, "id" | "trace">;

/** Traces of runs as the host uses them. All that it gives is a W3C traceparent. */
export interface TelemetryKeeper extends TelemetryService {
  /** What the record of a run gets as `trace`; `above`: the run that started a sub-agent. */
  traceFor(request: Pick<RunRequest, "trace" | "parent">, above: TracedRun | undefined): string | undefined;
  /** To be sent on with a model call that began then, in milliseconds; undefined: nothing is. */
  sentWithModelCall(run: TracedRun, startedAt: number): string | undefined;
  /** The same with a tool call; `run` is null for one by hand. */
  sentWithToolCall(run: TracedRun | null, callId: string): string | undefined;
}
