import path from "node:path";
import { defined } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { streamTurn, type Turn } from "./stream-turn.ts";
import { undoHint } from "./undo.ts";
import { styled } from "./visible.ts";

export interface RunOptions extends CommonOptions {
  readonly model?: string;
  readonly directory?: string;
  readonly maxIterations?: number;
}

/**
 * Works on a task until it is done, showing each step. Ctrl-C cancels the run and waits for it to stop; a
 * second one exits at once.
 */
export async function run(task: string, options: RunOptions): Promise<number> {
  return withService(options, async (service) => {
    const { model = "default", directory = ".", maxIterations, json = false } = options;
    const body = defined({
      model,
      messages: [{ role: "user", content: task }],
      service_config: { working_directory: path.resolve(directory), on_client_close: "cancel" },
      maxIterations,
    });
    const turn = await streamTurn(service, "/api/chat/autonomous", body, { json });
    if (!json) await printSummary(service, turn);
    if (turn.stopped) return exitCodes.interrupted;
    const reason = turn.metadata?.workflow.completion_reason;
    return reason === "workflow_complete" ? exitCodes.ok : exitCodes.failed;
  });
}

async function printSummary(service: Service, { metadata, runId }: Turn): Promise<void> {
  if (metadata === undefined) return;
  const { completion_reason: reason, iterations, tool_call_count: calls } = metadata.workflow;
  const seconds = metadata.workflow.duration_seconds.toFixed(1);
  printDim(`${reason}: ${iterations} iterations, ${calls} tool calls, ${seconds} s`);
  const hint = calls === 0 ? undefined : await undoHint(service, runId);
  if (hint !== undefined) printDim(hint);
}

const printDim = (text: string): unknown => process.stderr.write(styled("dim", `${text}\n`));
