import { stringOf, type Collection, type Conversation, type Message } from "@pergola/sdk";
import type { BranchSummary } from "@pergola/sdk/host";
import { countTurns, isOn, readBranch, spansOf } from "./branches.ts";

type Active = Pick<Conversation, "branches" | "activeBranch" | "activeMessageId" | "messageCount">;

/** The end of a branch: its last own message, or the one below which it begins. */
async function tipOf(
  messages: Collection<Message>,
  conversation: Conversation,
  branch: number,
): Promise<Message | undefined> {
  const [tip] = await readBranch(messages, conversation.id, spansOf(conversation, branch), {
    limit: 1,
    newest: true,
  });
  return tip;
}

/** What changes in a conversation when one of its branches becomes the active one. */
export async function activated(
  messages: Collection<Message>,
  conversation: Conversation,
  branch: number,
): Promise<Active> {
  const spans = spansOf(conversation, branch);
  return {
    branches: conversation.branches ?? [],
    activeBranch: branch,
    activeMessageId: (await tipOf(messages, conversation, branch))?.id ?? null,
    messageCount: await countTurns(messages, conversation.id, spans),
  };
}

/**
 * The active branch that begins below a message, null = at the beginning: the one that ends there, or a new
 * one where others follow it already.
 */
export async function branchBelow(
  messages: Collection<Message>,
  conversation: Conversation,
  below: Message | null,
): Promise<Active> {
  const branch = below?.branch ?? 0;
  if (conversation.nextSeq === 1) return activated(messages, conversation, branch);
  if (below !== null && (await tipOf(messages, conversation, branch))?.id === below.id)
    return activated(messages, conversation, branch);
  const begin = { parent: below === null ? null : branch, after: below?.seq ?? 0 };
  const branches = [...(conversation.branches ?? []), begin];
  return activated(messages, { ...conversation, branches }, branches.length);
}

/** The end of a branch. */
export interface Tip {
  readonly branch: number;
  readonly tip: Message;
}

/** The newest of some ends; with a message, of those whose branch goes through it. */
export function newestTip(
  conversation: Conversation,
  tips: readonly Tip[],
  through?: Message,
): Message | undefined {
  const fits = ({ branch }: Tip): boolean =>
    through === undefined || isOn(spansOf(conversation, branch), through);
  return tips.filter(fits).toSorted((a, b) => b.tip.seq - a.tip.seq)[0]?.tip;
}

/** The branches of a conversation by number, each with its last message. */
export async function tipsOf(
  messages: Collection<Message>,
  conversation: Conversation,
): Promise<readonly Tip[]> {
  const numbers = Array.from({ length: (conversation.branches?.length ?? 0) + 1 }, (_, number) => number);
  const tips = await Promise.all(
    numbers.map(async (branch) => ({ branch, tip: await tipOf(messages, conversation, branch) })),
  );
  return tips.flatMap(({ branch, tip }) => (tip === undefined ? [] : [{ branch, tip }]));
}

/** What changes when the newest branch through a message becomes the active one. */
export async function newestThrough(
  messages: Collection<Message>,
  conversation: Conversation,
  message: Message,
): Promise<Active> {
  const through = (await tipsOf(messages, conversation)).filter(({ branch }) =>
    isOn(spansOf(conversation, branch), message),
  );
  const newest = through.toSorted((a, b) => b.tip.seq - a.tip.seq)[0];
  return activated(messages, conversation, newest?.branch ?? 0);
}

const previewLength = 120;

export async function listBranches(
  messages: Collection<Message>,
  conversation: Conversation,
): Promise<readonly BranchSummary[]> {
  const { id, branches = [], activeBranch = 0 } = conversation;
  const tips = (await tipsOf(messages, conversation)).filter(
    ({ branch, tip }) => (tip.branch ?? 0) === branch || branch === activeBranch,
  );
  const summaries = tips
    .toSorted((a, b) => b.tip.seq - a.tip.seq)
    .map(async ({ branch, tip }) => {
      const spans = spansOf(conversation, branch);
      const after = branches[branch - 1]?.after ?? 0;
      const [before, own] = await Promise.all([
        readBranch(messages, id, spans, { limit: 1, newest: true, before: after + 1 }),
        readBranch(messages, id, spans, { limit: 20, after }),
      ]);
      const shown = own.find(({ role, visible }) => role === "user" && visible) ?? tip;
      return {
        tipMessageId: tip.id,
        parentMessageId: after === 0 ? null : (before[0]?.id ?? null),
        messageCount: await countTurns(messages, id, spans),
        updated: tip.timestamp,
        isActive: branch === activeBranch,
        preview: stringOf(shown.content).replaceAll(/\s+/g, " ").trim().slice(0, previewLength),
      };
    });
  return Promise.all(summaries);
}
