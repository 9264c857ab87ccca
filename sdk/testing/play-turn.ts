import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { providerFailure, type ModelEvent } from "@pergola/sdk";
import { eventsOf, type ScriptStep } from "./script.ts";

async function pause(step: ScriptStep, provider: string, signal: AbortSignal): Promise<void> {
  if ("error" in step)
    throw providerFailure(provider, step.error.status, step.error.message ?? "", step.error.retryAfter);
  if ("delayMs" in step) await setTimeout(step.delayMs, undefined, { signal }).catch(() => undefined);
  if ("until" in step && !signal.aborted) await Promise.race([step.until, once(signal, "abort")]);
  if ("hang" in step && !signal.aborted) await once(signal, "abort");
  signal.throwIfAborted();
}

/**
 * Plays one turn of a script. An `end` that the script leaves out is added; an abort rejects with the
 * signal's reason.
 */
export async function* playTurn(
  steps: readonly ScriptStep[],
  turn: { readonly number: number; readonly provider: string; readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent> {
  const calls = new Set<number>();
  for (const step of steps) {
    await pause(step, turn.provider, turn.signal);
    for (const event of eventsOf(step, turn.number, calls.size)) {
      turn.signal.throwIfAborted();
      yield event;
      if (event.type === "end") return;
      if (event.type === "tool_call") calls.add(event.index);
    }
  }
  yield { type: "end", reason: calls.size > 0 ? "tool_calls" : "stop" };
}
