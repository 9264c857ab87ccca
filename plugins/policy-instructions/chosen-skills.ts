import { lastUserIndex, type Collection, type RunContext } from "@pergola/sdk";
import { messageText } from "@pergola/sdk/host";
import type { FoundSkill } from "./found.ts";

/** The skills that a person has called in a conversation. `id`: the conversation's. */
export interface ChosenRecord {
  readonly id: string;
  /** The newest last. */
  readonly names: readonly string[];
}

const call = /^\/([a-z0-9]+(?:-[a-z0-9]+)*)(?=\s|$)/;

/** The name behind the slash with which the newest message of the person begins. */
export function calledIn({ messages }: Pick<RunContext["request"], "messages">): string | undefined {
  const newest = messages[lastUserIndex(messages)];
  return newest === undefined ? undefined : call.exec(messageText(newest).trimStart())?.[1];
}

/** The called skills of conversations: what a person calls counts to the end of its conversation. */
export class ChosenSkills {
  readonly #open: (conversationId?: string) => Collection<ChosenRecord>;

  /** `open` gives the records; where a conversation is named, as this host may change them for its run. */
  constructor(open: (conversationId?: string) => Collection<ChosenRecord>) {
    this.#open = open;
  }

  /** Those in force that were called before, and that which the run's message calls, the newest first. */
  async of(
    { request, conversation, isNew }: Pick<RunContext, "request" | "conversation" | "isNew">,
    skills: readonly FoundSkill[],
  ): Promise<readonly FoundSkill[]> {
    if (skills.length === 0) return [];
    const { id } = conversation;
    const records = this.#open(id);
    const before = isNew === true ? undefined : await records.get(id);
    const called = calledIn(request);
    const isKnown = called !== undefined && skills.some(({ name }) => name === called);
    let names = before?.names ?? [];
    if (isKnown && names.at(-1) !== called) {
      names = [...names.filter((name) => name !== called), called];
      await records.put({ id, names });
    }
    const chosen = names.map((name) => skills.find((skill) => skill.name === name));
    return chosen.filter((skill) => skill !== undefined).toReversed();
  }

  async forget(conversationId: string): Promise<void> {
    await this.#open().delete(conversationId);
  }
}
