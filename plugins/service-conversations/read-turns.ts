import type { Collection, Conversation, Message } from "@pergola/sdk";
import { readBranch, spansOf } from "./history/branches.ts";
import type { BranchTurns } from "./history/place-request.ts";
import { turnsOf, type Turn } from "./history/turns.ts";

/** Visible messages read beyond those that a request brings. */
const margin = 20;

/** Most messages read at a time. */
const pageSize = 200;

/** Enough of the active branch to find so many messages of a client in it. */
export async function readTurns(
  messages: Collection<Message>,
  conversation: Conversation,
  count: number,
): Promise<BranchTurns> {
  if (conversation.nextSeq === 1) return { first: [], last: [] };
  const last = await readVisible(messages, conversation, count + margin, true);
  if (last.isWhole) return { first: last.turns, last: last.turns };
  if (count === 1) return { first: [], last: last.turns };
  const first = await readVisible(messages, conversation, count + margin, false);
  return { first: first.turns, last: last.turns };
}

/** The last turns of a branch up to a message. */
export async function readTurnsTo(
  messages: Collection<Message>,
  conversation: Conversation,
  { branch = 0, seq }: Message,
): Promise<readonly Turn[]> {
  const spans = spansOf(conversation, branch);
  const page = { limit: pageSize, newest: true, before: seq + 1 };
  return turnsOf(await readBranch(messages, conversation.id, spans, page));
}

/** Messages from one end of the active branch until so many visible ones are among them. */
async function readVisible(
  messages: Collection<Message>,
  conversation: Conversation,
  wanted: number,
  newest: boolean,
) {
  const spans = spansOf(conversation);
  let found: readonly Message[] = [];
  for (;;) {
    const beyond = newest ? { before: found[0]?.seq } : { after: found.at(-1)?.seq };
    const limit = found.length === 0 ? Math.min(pageSize, 2 * wanted) : pageSize;
    const page = await readBranch(messages, conversation.id, spans, { limit, newest, ...beyond });
    found = newest ? [...page, ...found] : [...found, ...page];
    const isWhole = page.length < limit;
    if (isWhole || found.filter(({ visible }) => visible).length >= wanted)
      return { turns: turnsOf(found), isWhole };
  }
}
