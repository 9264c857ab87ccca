import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { printDim } from "./print-result.ts";
import type { Service } from "./service.ts";
import { showAnswer, type ShowOptions, type Turn } from "./stream-turn.ts";
import { printUndoHint } from "./undo.ts";

/** Shows a run from its first event to its end. Ctrl-C cancels it; a second one exits at once. */
export async function followRun(service: Service, runId: string, options: ShowOptions): Promise<number> {
  const address = `/api/runs/${encodeURIComponent(runId)}/events`;
  const turn = await showAnswer(service, (signal) => service.call("GET", address, undefined, signal), {
    ...options,
    replayedRun: runId,
  });
  return endOf(service, turn, options);
}

/** Prints how a run has ended, and returns the exit code for it. */
export async function endOf(service: Service, turn: Turn, { json }: ShowOptions): Promise<number> {
  if (!json) await printSummary(service, turn);
  if (turn.stopped) return exitCodes.interrupted;
  return exitCodeOf(turn.metadata?.workflow.completion_reason === "workflow_complete");
}

async function printSummary(service: Service, { metadata, runId }: Turn): Promise<void> {
  if (metadata === undefined) return;
  const { completion_reason: reason, iterations, tool_call_count: calls } = metadata.workflow;
  const seconds = metadata.workflow.duration_seconds.toFixed(1);
  printDim(`${reason}: ${iterations} iterations, ${calls} tool calls, ${seconds} s`);
  if (calls > 0) await printUndoHint(service, runId);
}
