import path from "node:path";
import { exitCodes } from "./exit-codes.ts";
import { withService, type CommonOptions } from "./service.ts";
import { streamTurn } from "./stream-turn.ts";
import { undoHint } from "./undo.ts";
import { styled } from "./visible.ts";

export interface RunOptions extends CommonOptions {
  readonly model?: string;
  readonly directory?: string;
  readonly maxIterations?: number;
}

/**
 * Works on a task until it is done, showing each step. Ctrl-C cancels the run and waits for it to stop; twice
 * leaves at once.
 */
export async function run(task: string, options: RunOptions): Promise<number> {
  return withService(options, async (service) => {
    const { model = "default", directory = ".", maxIterations, json = false } = options;
    const body = {
      model,
      messages: [{ role: "user", content: task }],
      service_config: { working_directory: path.resolve(directory), on_client_close: "cancel" },
      ...(maxIterations === undefined ? {} : { maxIterations }),
    };
    const { metadata, stopped, runId } = await streamTurn(service, "/api/chat/autonomous", body, { json });
    const reason = metadata?.workflow.completion_reason ?? (stopped ? "cancelled" : "error");
    if (metadata !== undefined && !json) {
      const { iterations, tool_call_count: calls, duration_seconds: seconds } = metadata.workflow;
      process.stderr.write(
        styled("dim", `${reason}: ${iterations} iterations, ${calls} tool calls, ${seconds.toFixed(1)} s\n`),
      );
      const hint = calls === 0 ? undefined : await undoHint(service, runId);
      if (hint !== undefined) process.stderr.write(styled("dim", `${hint}\n`));
    }
    if (stopped) return exitCodes.interrupted;
    return reason === "workflow_complete" ? exitCodes.ok : exitCodes.failed;
  });
}
