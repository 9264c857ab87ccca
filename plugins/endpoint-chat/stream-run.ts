import { metadataOf, type LiveRun, type ServerEvent } from "@pergola/sdk";
import { Chunks, type ChunkChoices, type ChunkIdentity } from "./chunks.ts";

/** The chunks of a run, from its first event to its end: role, content and events, final, usage, `[DONE]`. */
export async function* streamRun(
  live: LiveRun,
  identity: Omit<ChunkIdentity, "model">,
  choices: ChunkChoices,
): AsyncIterable<ServerEvent> {
  let chunks: Chunks | undefined;
  for await (const { event } of live.events()) {
    if (event.type === "state") continue;
    if (chunks === undefined) {
      chunks = new Chunks({ ...identity, model: live.model.modelId });
      yield { data: chunks.role({ conversation_id: live.conversationId, run_id: live.id }) };
    }
    if (event.type === "end") {
      const last = chunks.closing(event.outcome, metadataOf(event.outcome), choices);
      for (const data of last) yield { data };
      continue;
    }
    const data = chunks.of(event, choices);
    if (data !== undefined) yield { data };
  }
  yield { data: "[DONE]" };
}
