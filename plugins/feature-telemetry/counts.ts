import type { ModelCallSummary, RunRecord, ToolCallSummary } from "@pergola/sdk";
import { exposition, type Gauge } from "./exposition.ts";
import { Instrument, type Labels } from "./instrument.ts";

/** Seconds. */
const callBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const runBounds = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

const overflow = (labels: Labels): Labels =>
  Object.fromEntries(Object.keys(labels).map((label) => [label, "other"]));
const counter = (name: string, description: string): Instrument =>
  new Instrument({ name, description, overflow });
const histogram = (name: string, description: string, bounds: readonly number[]): Instrument =>
  new Instrument({ name, description, bounds, overflow });

const processGauges: readonly Gauge[] = [
  {
    name: "process_cpu_seconds_total",
    description: "Total user and system CPU time spent in seconds.",
    type: "counter",
    value: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: "process_start_time_seconds",
    description: "Start time of the process since unix epoch in seconds.",
    type: "gauge",
    value: () => Math.round(Date.now() / 1000 - process.uptime()),
  },
  {
    name: "process_resident_memory_bytes",
    description: "Resident memory size in bytes.",
    type: "gauge",
    value: () => process.memoryUsage.rss(),
  },
  {
    name: "nodejs_heap_size_used_bytes",
    description: "Process heap size used from Node.js in bytes.",
    type: "gauge",
    value: () => process.memoryUsage().heapUsed,
  },
];

/** How a call has ended: `ok`, or its code of failure. */
const outcomeOf = (code: string | undefined): string => code ?? "ok";

/** What Prometheus is told. Labels are model, provider, tool and outcome: nobody is named. */
export class Counts {
  readonly #runs = histogram("pergola_run_duration_seconds", "Runs that have ended.", runBounds);
  readonly #cost = counter("pergola_cost_usd_total", "Cost of runs, their sub-agents' included, in USD.");
  readonly #calls = histogram("pergola_model_call_duration_seconds", "Calls of models.", callBounds);
  readonly #first = histogram(
    "pergola_model_call_first_chunk_seconds",
    "From a call of a model to the first piece of its answer.",
    callBounds,
  );
  readonly #input = counter("pergola_input_tokens_total", "Tokens that models have read.");
  readonly #output = counter("pergola_output_tokens_total", "Tokens that models have written.");
  readonly #tools = histogram(
    "pergola_tool_call_duration_seconds",
    "Calls of tools, waiting for the person left out.",
    callBounds,
  );
  readonly #spans = counter(
    "pergola_telemetry_spans_total",
    "Spans for telemetry.otlp_url, sent or dropped.",
  );

  run({ model, provider, completionReason, createdAt, endedAt, parentRunId, cost }: RunRecord): void {
    const seconds = (Date.parse(endedAt ?? createdAt) - Date.parse(createdAt)) / 1000;
    this.#runs.record(seconds, { model, provider, outcome: completionReason ?? "error" });
    if (parentRunId === null) this.#cost.record(cost, { model, provider });
  }

  modelCall({ model: { modelId: model, providerId: provider }, ...call }: ModelCallSummary): void {
    const { duration, firstChunk, usage, error, errorCode } = call;
    const outcome = outcomeOf(errorCode ?? (error === null ? undefined : "error"));
    this.#calls.record(duration / 1000, { model, provider, outcome });
    if (firstChunk !== undefined) this.#first.record(firstChunk / 1000, { model, provider });
    this.#input.record(usage.promptTokens, { model, provider });
    this.#output.record(usage.completionTokens, { model, provider });
  }

  toolCall({ call: { tool }, result, duration }: ToolCallSummary): void {
    const code = result.success ? undefined : (result.error_code ?? "error");
    this.#tools.record(duration / 1000, { tool, outcome: outcomeOf(code) });
  }

  spans(count: number, outcome: "sent" | "dropped"): void {
    this.#spans.record(count, { outcome });
  }

  exposition(): string {
    const calls = [this.#calls, this.#first, this.#input, this.#output, this.#tools];
    return exposition([this.#runs, this.#cost, ...calls, this.#spans], processGauges);
  }
}
