import type { Message } from "@pergola/sdk";
import { MessageTree } from "@pergola/sdk/host";
import type { PackedConversation } from "./package-form.ts";

/**
 * Gives the messages of a package their parents and branches. `messages` are those of the package under their
 * new ids, and behind them what was added. Packages of before there were branches name no parents: what
 * others had replaced gets a branch of its own.
 */
export function readTree(packed: PackedConversation, messages: readonly Message[]) {
  const newIds = new Map(packed.messages.map(({ id = "" }, index) => [id, messages[index]?.id]));
  const tree = new MessageTree();
  let active: string | null = null;
  let replaced: string | null = null;
  const placed = messages.map((message, index): Message => {
    const { parentMessageId, superseded } = packed.messages[index] ?? {};
    if (superseded === true) {
      const added = tree.add({ ...message, visible: wasVisible(message) }, replaced ?? active);
      replaced = message.id;
      return added;
    }
    const parent: string | null =
      parentMessageId === undefined ? active : (newIds.get(parentMessageId ?? "") ?? null);
    [active, replaced] = [message.id, null];
    return tree.add(message, parent);
  });
  const activeMessageId = newIds.get(packed.activeMessageId ?? "") ?? active;
  const messageCount = branchOf(placed, activeMessageId).filter(({ visible }) => visible).length;
  return { messages: placed, branches: { ...tree.fields(activeMessageId), messageCount } };
}

/** The messages from the end of a branch back to its beginning. */
function branchOf(messages: readonly Message[], end: string | null): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: Message[] = [];
  for (let message = byId.get(end ?? ""); message !== undefined;) {
    branch.push(message);
    message = byId.get(message.parentMessageId ?? "");
  }
  return branch;
}

/** Replaced messages were hidden; whether the client had seen one follows from what it is. */
const wasVisible = ({ role, completionReason }: Message): boolean =>
  role === "user" || (role === "assistant" && completionReason !== undefined);
