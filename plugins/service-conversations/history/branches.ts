import type { Collection, Conversation, Message } from "@pergola/sdk";
import type { Branch } from "@pergola/sdk/host";

/** Messages of one branch up to a number, inclusive. Messages of the first branch carry no number of it. */
export interface Span {
  readonly branch: number | null;
  readonly upTo: number;
}

type Tree = Pick<Conversation, "branches" | "activeBranch">;
type Place = Pick<Message, "branch" | "seq">;

/** Which of a branch's messages to read; `after` and `before` are message numbers, exclusive. */
export interface BranchPage {
  readonly limit: number;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** Takes the page from the end. */
  readonly newest?: boolean;
  readonly visible?: true;
}

const last = Number.MAX_SAFE_INTEGER - 1;

/** The spans from the end of a branch, the active one unless a number is given, back to the beginning. */
export function spansOf({ branches = [], activeBranch = 0 }: Tree, branch = activeBranch): readonly Span[] {
  const spans: Span[] = [];
  let upTo = last;
  for (let number: number | null = branch; number !== null;) {
    spans.push({ branch: number === 0 ? null : number, upTo });
    const begin: Branch = branches[number - 1] ?? { parent: null, after: 0 };
    [number, upTo] = [begin.parent, begin.after];
  }
  return spans;
}

/** Whether a message lies on a branch. */
export const isOn = (spans: readonly Span[], { branch, seq }: Place): boolean =>
  spans.some((span) => span.branch === (branch ?? null) && seq <= span.upTo);

/** The messages of a branch in order, page by page: what it costs depends on the page alone. */
export async function readBranch(
  messages: Collection<Message>,
  conversationId: string,
  spans: readonly Span[],
  { limit, after = 0, before = last + 1, newest = false, visible }: BranchPage,
): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (const { branch, upTo } of newest ? spans : spans.toReversed()) {
    const seq = { gte: after + 1, lt: Math.min(before, upTo + 1) };
    const filter = { conversationId, branch, seq, ...(visible && { visible }) };
    if (seq.gte < seq.lt)
      found.push(
        ...(await messages.find(filter, { order: newest ? "-seq" : "seq", limit: limit - found.length })),
      );
    if (found.length >= limit) break;
  }
  return newest ? found.toReversed() : found;
}

/** How many visible turns a branch has. */
export async function countTurns(
  messages: Collection<Message>,
  conversationId: string,
  spans: readonly Span[],
): Promise<number> {
  const counts = await Promise.all(
    spans.map(({ branch, upTo }) =>
      messages.count({ conversationId, visible: true, branch, seq: { gte: 0, lt: upTo + 1 } }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
