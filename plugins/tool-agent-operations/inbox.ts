import { compareText, type Collection, type PluginHost } from "@pergola/sdk";
import type { InboxMessage } from "./agent.ts";

const all = { limit: 1_000_000 };
const mostNamed = 5;
const longestTask = 60;

const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll("<", "&lt;").slice(0, longestTask);

/**
 * Summaries for the conversations above. The unread ones are held in memory too: every model call looks at
 * them.
 */
export class Inbox {
  readonly #messages: Collection<InboxMessage>;
  readonly #unread = new Map<string, Map<string, InboxMessage>>();

  constructor(host: PluginHost) {
    this.#messages = host.collection<InboxMessage>("inbox");
  }

  async open(): Promise<void> {
    for (const message of await this.#messages.find({ unread: true }, all)) this.#note(message);
  }

  /** What is there already stays as it is. */
  async add(message: InboxMessage): Promise<void> {
    if ((await this.#messages.get(message.id)) !== undefined) return;
    await this.#messages.put(message);
    this.#note(message);
  }

  #note(message: InboxMessage): void {
    const { id, parentId, unread } = message;
    const known = this.#unread.get(parentId) ?? new Map<string, InboxMessage>();
    if (unread) this.#unread.set(parentId, known.set(id, message));
    else known.delete(id);
    if (known.size === 0) this.#unread.delete(parentId);
  }

  /** Oldest first. */
  unread(parentId: string): readonly InboxMessage[] {
    return [...(this.#unread.get(parentId)?.values() ?? [])].toSorted((a, b) => compareText(a.time, b.time));
  }

  /** How many of these were unread. */
  async acknowledge(parentId: string, ids: readonly string[]): Promise<number> {
    const found = this.unread(parentId).filter(({ id }) => ids.includes(id));
    for (const message of found) {
      const read = { ...message, unread: false };
      await this.#messages.put(read);
      this.#note(read);
    }
    return found.length;
  }

  async forget(parentId: string): Promise<void> {
    for (const { id } of await this.#messages.find({ parentId }, all)) await this.#messages.delete(id);
    this.#unread.delete(parentId);
  }

  /** What the model is told of unread messages; undefined when there are none. */
  notice(parentId: string): string | undefined {
    if (!this.#unread.has(parentId)) return undefined;
    const unread = this.unread(parentId);
    const named = unread.slice(0, mostNamed).map(({ agentId, task }) => `${agentId} (${oneLine(task)})`);
    if (unread.length > mostNamed) named.push(`${unread.length - mostNamed} more`);
    const line = `inbox: ${unread.length} unread, from ${named.join(", ")}; read with agent_operations inbox`;
    return `<agents>\n${line}\n</agents>`;
  }
}
