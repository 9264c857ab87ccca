import { setImmediate } from "node:timers/promises";
import { defined, type ConversationService, type Message } from "@pergola/sdk";

/**
 * Messages read at a time: few enough that no other request waits long, whatever the conversation's length.
 */
export const pageSize = 200;

/** Which messages of a conversation a client wants to see. */
export const views = ["active", "turns", "all"] as const;

/** What a client asks to see; `before` and `after` are message ids. */
export interface PageQuery {
  readonly view: (typeof views)[number];
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

type Reader = Pick<ConversationService, "messages" | "message">;

/** Message numbers, exclusive. */
interface Range {
  readonly after?: number;
  readonly before?: number;
}

/**
 * The numbers between which the messages of a page lie. A page with `before` alone is taken from its end. The
 * page of a view of turns also covers the steps that lead to its first turn.
 */
export async function rangeOf(
  reader: Reader,
  id: string,
  { view, limit, ...ids }: PageQuery,
): Promise<Range> {
  const numberOf = async (messageId: string | undefined): Promise<number | undefined> =>
    messageId === undefined ? undefined : (await reader.message(id, messageId)).seq;
  const range = defined({ after: await numberOf(ids.after), before: await numberOf(ids.before) });
  if (limit === undefined) return range;
  const isTurns = view === "turns";
  const which = { allBranches: view === "all", ...(isTurns && { visible: true as const }) };
  const newest = range.before !== undefined && range.after === undefined;
  const page = await reader.messages(id, { ...range, ...which, limit, newest });
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return { after: 0, before: 1 };
  const before = last.seq + 1;
  if (!isTurns) return { after: first.seq - 1, before };
  const [turn] = await reader.messages(id, { before: first.seq, ...which, limit: 1, newest: true });
  return { after: turn?.seq ?? 0, before };
}

const readPage = (
  reader: Reader,
  id: string,
  view: PageQuery["view"],
  range: Range,
): Promise<readonly Message[]> =>
  reader.messages(id, { ...range, limit: pageSize, ...(view === "all" && { allBranches: true }) });

/** The pages of messages in a range: the first is read at once, each other when the one before is used up. */
export async function readPages(reader: Reader, id: string, query: PageQuery) {
  const range = await rangeOf(reader, id, query);
  const first = await readPage(reader, id, query.view, range);
  async function* pages(): AsyncIterable<readonly Message[]> {
    for (let page = first; page.length > 0;) {
      yield page;
      const after = page.at(-1)?.seq;
      if (page.length < pageSize || after === undefined) return;
      await setImmediate();
      page = await readPage(reader, id, query.view, { ...range, after });
    }
  }
  return { pages: pages(), isWhole: first.length < pageSize };
}
