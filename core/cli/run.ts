import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { printDim } from "./print-result.ts";
import type { CommonOptions, Service } from "./service.ts";
import { streamTurn, turnBody, type Turn } from "./stream-turn.ts";
import { printUndoHint } from "./undo.ts";

interface RunOptions extends CommonOptions {
  readonly model?: string;
  readonly directory?: string;
  readonly maxIterations?: number;
}

/**
 * Works on a task until it is done, showing each step. Ctrl-C cancels the run and waits for it to stop; a
 * second one exits at once.
 */
export async function run(service: Service, task: string, options: RunOptions): Promise<number> {
  const { maxIterations, json } = options;
  const body = { ...turnBody(task, options), maxIterations };
  const turn = await streamTurn(service, "/api/chat/autonomous", body, options);
  if (!json) await printSummary(service, turn);
  if (turn.stopped) return exitCodes.interrupted;
  const isDone = turn.metadata?.workflow.completion_reason === "workflow_complete";
  return exitCodeOf(isDone);
}

async function printSummary(service: Service, { metadata, runId }: Turn): Promise<void> {
  if (metadata === undefined) return;
  const { completion_reason: reason, iterations, tool_call_count: calls } = metadata.workflow;
  const seconds = metadata.workflow.duration_seconds.toFixed(1);
  printDim(`${reason}: ${iterations} iterations, ${calls} tool calls, ${seconds} s`);
  if (calls > 0) await printUndoHint(service, runId);
}
