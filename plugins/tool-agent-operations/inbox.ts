import type { Collection, PluginHost } from "@pergola/sdk";
import type { InboxMessage } from "./agent.ts";
import { isConflict } from "./is-conflict.ts";

const all = { limit: 1_000_000 };
const mostNamed = 5;
const longestTask = 60;

const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll("<", "&lt;").slice(0, longestTask);

/** Summaries for the conversations above. */
export class Inbox {
  readonly #host: PluginHost;

  constructor(host: PluginHost) {
    this.#host = host;
  }

  /** As this host may change them for its run in the conversation above. */
  #messages(parentId?: string): Collection<InboxMessage> {
    return this.#host.collection<InboxMessage>("inbox", undefined, parentId);
  }

  /** What is there already stays as it is, whichever host has put it there. */
  async add(message: InboxMessage): Promise<void> {
    await this.#messages()
      .put(message, { ifVersion: 0 })
      .catch((error: unknown) => {
        if (!isConflict(error)) throw error;
      });
  }

  /** Oldest first. */
  unread(parentId: string): Promise<readonly InboxMessage[]> {
    return this.#messages().find({ parentId, unread: true }, { ...all, order: "time" });
  }

  /** How many of these were unread. */
  async acknowledge(parentId: string, ids: readonly string[]): Promise<number> {
    const found = (await this.unread(parentId)).filter(({ id }) => ids.includes(id));
    for (const message of found) await this.#messages(parentId).put({ ...message, unread: false });
    return found.length;
  }

  async forget(parentId: string): Promise<void> {
    const messages = this.#messages();
    for (const { id } of await messages.find({ parentId }, all)) await messages.delete(id);
  }

  /** What the model is told of unread messages; undefined when there are none. */
  async notice(parentId: string): Promise<string | undefined> {
    const unread = await this.unread(parentId);
    if (unread.length === 0) return undefined;
    const named = unread.slice(0, mostNamed).map(({ agentId, task }) => `${agentId} (${oneLine(task)})`);
    if (unread.length > mostNamed) named.push(`${unread.length - mostNamed} more`);
    const line = `inbox: ${unread.length} unread, from ${named.join(", ")}; read with agent_operations inbox`;
    return `<agents>\n${line}\n</agents>`;
  }
}
