import { exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions } from "./service.ts";
import { showStream } from "./show-stream.ts";
import { styled } from "./visible.ts";

interface RunOptions extends CommonOptions {
  readonly model?: string;
  readonly directory?: string;
  readonly maxIterations?: string;
}

/** Works on a task until it is done, showing each step. Ctrl-C cancels the run and waits for it to stop; twice leaves at once. */
export async function run(task: string, options: RunOptions): Promise<number> {
  return withService(options, async (service) => {
    const { model = "default", directory = process.cwd(), maxIterations, json = false } = options;
    const limit = maxIterations === undefined ? {} : { maxIterations: Number(maxIterations) };
    const controller = new AbortController();
    const stop = (): void => (controller.signal.aborted ? process.exit(exitCodes.interrupted) : controller.abort());
    process.on("SIGINT", stop);
    try {
      const body = {
        model,
        messages: [{ role: "user", content: task }],
        stream: true,
        service_config: { working_directory: directory },
        ...limit,
      };
      const answer = await service.call("POST", "/api/chat/autonomous", body, controller.signal);
      if (!answer.ok) await jsonOf(answer);
      const { metadata, error } = await showStream(service, answer, { json });
      if (error !== undefined) process.stderr.write(`${styled("red", error)}\n`);
      const {
        iterations,
        tool_call_count: calls,
        duration_seconds: seconds,
        completion_reason: reason,
      } = metadata?.workflow ?? { iterations: 0, tool_call_count: 0, duration_seconds: 0, completion_reason: "error" };
      if (!json) process.stdout.write(styled("dim", `${reason}: ${iterations} iterations, ${calls} tool calls, ${seconds.toFixed(1)} s\n`));
      return reason === "workflow_complete" ? exitCodes.ok : exitCodes.failed;
    } catch (error) {
      if (controller.signal.aborted) return exitCodes.interrupted;
      throw error;
    } finally {
      process.off("SIGINT", stop);
    }
  });
}
