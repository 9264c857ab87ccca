import { endOf } from "./follow-run.ts";
import type { QuestionOptions } from "./questions.ts";
import type { CommonOptions, Service } from "./service.ts";
import { streamTurn, turnBody, type TurnOptions } from "./stream-turn.ts";

interface RunOptions extends CommonOptions, TurnOptions, QuestionOptions {
  readonly maxIterations?: number;
}

/**
 * Works on a task until it is done, showing each step. Ctrl-C cancels the run and waits for it to stop; a
 * second one exits at once.
 */
export async function run(service: Service, task: string, options: RunOptions): Promise<number> {
  const { maxIterations } = options;
  const body = { ...turnBody(task, options), maxIterations };
  return endOf(service, await streamTurn(service, "/api/chat/autonomous", body, options), options);
}
