import { setTimeout } from "node:timers/promises";
import type { Parts } from "@pergola/sdk/host";
import type { OtherHosts } from "./other-hosts.ts";

/** Milliseconds between two looks, and for how long. */
const [pause, longest] = [100, 10_000];

/**
 * Takes a run up again once the host that has its conversation lets it go without working on the run: it has
 * only settled what another one had left. A host that works on it hears of answers itself.
 */
export async function resumeOnceLetGo(parts: Parts, others: OtherHosts, id: string): Promise<void> {
  try {
    if (await isLetGo(parts, others, id)) await parts.runs.resumeAfterAnswer(id);
  } catch (error) {
    parts.log.warn({ error, run: id }, "the run could not be resumed");
  }
}

async function isLetGo({ stores }: Parts, others: OtherHosts, id: string): Promise<boolean> {
  const until = performance.now() + longest;
  while (performance.now() < until) {
    await setTimeout(pause, undefined, { ref: false });
    const run = await stores.runs.get(id);
    if (run === undefined || !["waiting", "interrupted"].includes(run.status)) return false;
    if (!(await others.has(run.conversationId))) return true;
  }
  return false;
}
