import type { Errand, Parts } from "@pergola/sdk/host";
import type { RunInProgress } from "./run-in-progress.ts";

/** Does what another host asks of this one, which works on `run`. */
export async function carryOut(
  { runs, conversations }: Pick<Parts, "runs" | "conversations">,
  run: RunInProgress,
  errand: Errand,
): Promise<void> {
  if (errand.kind === "leave") run.cancel();
  else if (errand.kind === "cancel") await runs.cancel(errand.runId);
  else if (errand.kind === "annotate") await runs.annotate(errand.runId, errand.added);
  else await conversations.put(run.conversationId, errand.fields);
}
