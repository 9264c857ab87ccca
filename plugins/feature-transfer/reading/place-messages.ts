import type { AppMessage } from "../apps/app.ts";
import { paragraphs } from "./fields.ts";

/** A message that stays, below the last one before it that stays. */
export interface Placed {
  readonly message: AppMessage;
  readonly parentId: string | null;
  /** Its own thoughts, and those before it that had no answer of their own. */
  readonly reasoning: string;
}

/** A message to look at, and what is known of those before it. */
interface Step {
  readonly message: AppMessage;
  readonly parentId: string | null;
  readonly thoughts: string;
}

type Children = ReadonlyMap<string | null, readonly AppMessage[]>;

/** The messages by the one they follow. Those that follow nothing known are at the beginning. */
function childrenOf(messages: readonly AppMessage[]): Children {
  const known = new Set(messages.map(({ id }) => id));
  const children = new Map<string | null, AppMessage[]>();
  for (const message of messages) {
    const parent = message.parentId !== null && known.has(message.parentId) ? message.parentId : null;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [message]);
    else siblings.push(message);
  }
  return children;
}

/** Every message once, each after the one it follows; a ring is opened at its first message. */
class Walk {
  readonly placed: Placed[] = [];
  /** Where each message is now found: itself, or the last one before it that stays. */
  readonly place = new Map<string, string | null>();
  readonly #children: Children;

  constructor(children: Children) {
    this.#children = children;
  }

  from(begin: AppMessage): void {
    const steps: Step[] = [{ message: begin, parentId: null, thoughts: "" }];
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const { id } = step.message;
      if (this.place.has(id)) continue;
      const next = this.#place(step);
      this.place.set(id, next.parentId);
      const children = this.#children.get(id) ?? [];
      for (const message of children.toReversed()) steps.push({ message, ...next });
    }
  }

  #place({ message, parentId, thoughts }: Step): Pick<Step, "parentId" | "thoughts"> {
    const all = paragraphs(thoughts, message.reasoning ?? "");
    if (message.role === null) return { parentId, thoughts: all };
    const isAnswer = message.role === "assistant";
    this.placed.push({ message, parentId, reasoning: isAnswer ? all : "" });
    return { parentId: message.id, thoughts: "" };
  }
}

/** The end of the newest branch through a message. */
function endBelow(start: string, placed: readonly Placed[]): string {
  const newest = new Map(placed.map(({ message, parentId }) => [parentId, message.id]));
  let end = start;
  for (let next = newest.get(end); next !== undefined; next = newest.get(end)) end = next;
  return end;
}

/**
 * The messages that stay as a tree, each after its parent, and the end of the branch that was shown. Ids that
 * occur twice count once.
 */
export function placeMessages(
  messages: readonly AppMessage[],
  currentId: string | undefined,
): { readonly messages: readonly Placed[]; readonly active: string | null } {
  const children = childrenOf(messages);
  const walk = new Walk(children);
  for (const message of [...(children.get(null) ?? []), ...messages]) walk.from(message);
  const { placed } = walk;
  const shown = walk.place.get(currentId ?? "") ?? placed.at(-1)?.message.id;
  return { messages: placed, active: shown === undefined ? null : endBelow(shown, placed) };
}
