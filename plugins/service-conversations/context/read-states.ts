import { defined, type Message } from "@pergola/sdk";
import type { ConversationKeeper, Parts, StoredRun } from "@pergola/sdk/host";
import { readBranch, type Span } from "../history/branches.ts";
import { EntryMaker } from "../window/entries.ts";

type States = Awaited<ReturnType<ConversationKeeper["context"]>>["messages"];

/** Messages read at a time: other requests go on in between. */
const pageSize = 200;

/** How each message of a branch, up to the last one of a call, was seen by the call. */
export async function readStates(
  { stores }: Parts,
  conversationId: string,
  {
    spans,
    last,
    outline: { from, kept },
  }: {
    readonly spans: readonly Span[];
    readonly last: Pick<Message, "seq">;
    readonly outline: Pick<NonNullable<StoredRun["outline"]>, "from" | "kept">;
  },
): Promise<States> {
  const inSight = new Set(kept);
  const stateOf = (seq: number): States[number]["state"] => {
    if (seq >= from) return "whole";
    return inSight.has(seq) ? "pinned" : "left_out";
  };
  const maker = new EntryMaker();
  const states: States[number][] = [];
  for (let after: number | undefined, isOver = false; !isOver;) {
    const page = { limit: pageSize, ...defined({ after }), before: last.seq + 1 };
    const found = await readBranch(stores.messages, conversationId, spans, page);
    for (const { stored, tokens } of maker.make(found))
      states.push({ messageId: stored.id, tokens, state: stateOf(stored.seq) });
    after = found.at(-1)?.seq;
    isOver = found.length < pageSize;
  }
  return states;
}
