import type { LiveRun, ServerEvent } from "@pergola/sdk";
import { Chunks, type ChunkChoices, type ChunkIdentity } from "./chunks.ts";
import { metadataOf } from "./metadata.ts";

/** The chunks of a run, from its first event to its end: role, content and events, final, usage. */
export async function* chunksOf(live: LiveRun, identity: Omit<ChunkIdentity, "model">, choices: ChunkChoices): AsyncIterable<string> {
  let chunks: Chunks | undefined;
  for await (const { event } of live.events()) {
    if (event.type === "state") continue;
    if (chunks === undefined) {
      chunks = new Chunks({ ...identity, model: live.model.modelId });
      yield chunks.role({ conversation_id: live.conversationId, run_id: live.id });
    }
    const chunk = event.type === "end" ? undefined : chunks.of(event, choices);
    if (chunk !== undefined) yield chunk;
    if (event.type === "end") yield* chunks.closing(event.outcome, metadataOf(event.outcome), choices);
  }
}

/** The same as server-sent events, closed by `[DONE]`. */
export async function* streamRun(live: LiveRun, identity: Omit<ChunkIdentity, "model">, choices: ChunkChoices): AsyncIterable<ServerEvent> {
  for await (const data of chunksOf(live, identity, choices)) yield { data };
  yield { data: "[DONE]" };
}
