import type { ModelEntry, RunRequest } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { StepLog } from "./step-log.ts";

/** Milliseconds that finding a model may take. */
const patience = 30_000;

/** The model of a request, which may make the context of one that runs here smaller. */
export async function resolveModel(
  { models }: Pick<Parts, "models">,
  { model, sampling: { contextSize } }: RunRequest,
  steps: StepLog,
): Promise<ModelEntry> {
  const found = await models.resolve(model, AbortSignal.timeout(patience), steps.watch("model"));
  if (found.file === undefined || contextSize === undefined) return found;
  return { ...found, contextWindow: Math.min(found.contextWindow, contextSize) };
}
