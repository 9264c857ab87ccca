import type { LiveRun, RunEvent, RunLog, ServerEvent } from "@pergola/sdk";
import { Chunks, type ChunkChoices } from "./chunks.ts";

/** One run, one completion: everyone who follows it sees the same id and time, however often. */
export const identityOf = ({ id, record }: Pick<LiveRun, "id" | "record">) => ({
  id: `chatcmpl-${id.slice("run_".length, "run_".length + 24)}`,
  created: Math.floor(Date.parse(record.createdAt) / 1000),
});

/** Makes the chunks of a run, event by event: role, content and events, final, usage. */
export function chunkWriter(
  run: Pick<RunLog, "id" | "record" | "conversationId" | "model">,
  choices: ChunkChoices,
): (event: RunEvent) => readonly string[] {
  let chunks: Chunks | undefined;
  return (event) => {
    if (event.type === "state") return [];
    if (chunks !== undefined) return chunks.of(event, choices);
    chunks = new Chunks({ ...identityOf(run), model: run.model.modelId });
    const role = chunks.role({ conversation_id: run.conversationId, run_id: run.id });
    return [role, ...chunks.of(event, choices)];
  };
}

/** The chunks of a run, from its first event to its end, then `[DONE]`. */
export async function* streamRun(
  live: LiveRun,
  choices: ChunkChoices,
  tooSlow: () => void,
): AsyncIterable<ServerEvent> {
  const chunksOf = chunkWriter(live, choices);
  for await (const { event } of live.events(0, tooSlow)) for (const data of chunksOf(event)) yield { data };
  yield { data: "[DONE]" };
}
