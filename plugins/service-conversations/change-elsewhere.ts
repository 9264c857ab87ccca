import { isDeepStrictEqual } from "node:util";
import { AppError, type Conversation, type Write } from "@pergola/sdk";
import { pick, type Parts } from "@pergola/sdk/host";

/** What says where its next message goes: nobody changes that while a run adds messages. */
const placeFields: ReadonlySet<string> = new Set(["nextSeq", "activeMessageId", "activeBranch", "branches"]);

export const busy = (): AppError =>
  new AppError({
    code: "conversation_busy",
    message: "A run is active in this conversation. Try again when it has ended.",
    retryAfter: 1,
  });

interface Change {
  readonly before: Conversation;
  readonly after: Conversation;
  /** Are committed along with it. */
  readonly writes: readonly Write[];
}

/**
 * Has another host change a conversation that it works in, and so keeps in memory. Resolves to false where it
 * does not work in it any more. Rejects with `conversation_busy` when it does not answer, and for changes
 * that have to wait for the end of its run.
 */
export async function changeElsewhere(
  { runs, stores }: Pick<Parts, "runs" | "stores">,
  { before, after, writes }: Change,
): Promise<boolean> {
  const keys = Object.keys(after) as (keyof Conversation)[];
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  if (changed.some((key) => placeFields.has(key))) throw busy();
  if (writes.length > 0) await stores.commit(writes);
  return runs.askElsewhere(before.id, { kind: "change", fields: pick(after, ...changed) });
}
