import { createHash } from "node:crypto";
import type { TracedCall, TracedRun } from "@pergola/sdk/host";

/** A span's place: 32 and 16 hexadecimal digits, and whether the trace is recorded. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the header of W3C Trace Context, level 1; undefined for what is none. */
export function readTraceparent(text = ""): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = form.exec(text) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

const digits = (count: number, ...of: readonly (string | number)[]): string =>
  createHash("sha256").update(of.join("/")).digest("hex").slice(0, count);

/** The span of a run, which hosts and restarts agree on. */
export const contextOfRun = ({ id, trace }: TracedRun): TraceContext => contextBelow(trace, id);

/** The span of a model call of a run, by when it began. */
export const contextOfModelCall = (run: TracedRun, startedAt: number): TraceContext => ({
  ...contextOfRun(run),
  spanId: digits(16, run.id, startedAt),
});

/** The span of a tool call; one outside runs is a trace of its own where it came with none. */
export function contextOfToolCall({ runId, trace }: TracedCall, callId: string): TraceContext {
  if (runId === null) return contextBelow(trace, callId);
  const run = contextOfRun({ id: runId, ...(trace !== undefined && { trace }) });
  return { ...run, spanId: digits(16, runId, callId) };
}

/** A span below that of a traceparent, or a trace of its own; `id` is its alone. */
export function contextBelow(trace: string | undefined, id: string): TraceContext {
  const { traceId, isSampled } = readTraceparent(trace) ?? { traceId: digits(32, id), isSampled: true };
  return { traceId, spanId: digits(16, id), isSampled };
}
