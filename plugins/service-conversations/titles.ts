import type { ChatMessage, Conversation, Message, RunRequest } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { firstTitle } from "./new-conversation.ts";
import { titleFrom, titleOf } from "./title.ts";

const isUntitled = ({ title, titleSetBy }: Conversation): boolean =>
  title.startsWith(firstTitle) && titleSetBy !== "user";

/** How many of each kind are remembered. */
const most = 1000;

/** Whether another conversation has a title, asked before anybody waits for the answer. */
interface Foreseen {
  readonly title: string;
  readonly isTaken: Promise<boolean>;
  /** How many titles had been given then. */
  readonly given: number;
}

/** The titles of conversations: chosen, and numbered where they are taken. */
export class Titles {
  readonly #parts: Parts;
  /** The number that a title got last. */
  readonly #numbers = new Map<string, number>();
  /** The last titles that were given, each with its place among all that ever were. */
  readonly #given = new Map<string, number>();
  #count = 0;
  /** By conversation. */
  readonly #foreseen = new Map<string, Foreseen>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The title, with ` (n)` where a conversation other than `ownId` has it. */
  async free(title: string, ownId?: string): Promise<string> {
    return this.#give((await this.#isTaken(title, ownId)) ? await this.#numbered(title, ownId) : title);
  }

  #give(title: string): string {
    remember(this.#given, title, (this.#count += 1));
    return title;
  }

  async #numbered(title: string, ownId: string | undefined): Promise<string> {
    const stem = title.replace(/ \(\d+\)$/, "");
    if (!this.#numbers.has(stem)) remember(this.#numbers, stem, 1 + (await this.#countNumbered(stem)));
    for (;;) {
      const numbered = `${stem} (${this.#next(stem)})`;
      if (!(await this.#isTaken(numbered, ownId))) return numbered;
    }
  }

  async #isTaken(title: string, ownId: string | undefined): Promise<boolean> {
    const found = await this.#parts.stores.conversations.find({ title }, { limit: 2 });
    return found.some(({ id }) => id !== ownId);
  }

  #countNumbered(stem: string): Promise<number> {
    return this.#parts.stores.conversations.count({ title: { gte: `${stem} (`, lt: `${stem} )` } });
  }

  #next(stem: string): number {
    const next = 1 + (this.#numbers.get(stem) ?? 1);
    remember(this.#numbers, stem, next);
    return next;
  }

  /** Asks about the title that a new conversation gets from its first message: at its end nobody waits. */
  foresee({ messages }: RunRequest, id: string): void {
    const title = titleFrom(textOf(messages.find(isUsers)));
    if (title === "") return;
    const isTaken = this.#isTaken(title, id).catch(() => true);
    remember(this.#foreseen, id, { title, isTaken, given: this.#count });
  }

  /** Nobody had the title when it was foreseen, and nobody got it since. */
  async #wasFree(title: string, id: string): Promise<boolean> {
    const foreseen = this.#foreseen.get(id);
    this.#foreseen.delete(id);
    if (foreseen?.title !== title || (await foreseen.isTaken)) return false;
    const { given } = foreseen;
    return this.#count - given < most && (this.#given.get(title) ?? 0) <= given;
  }

  /** Takes the title in a model's marker, unless the person has set one. */
  async setFromMarker(run: ActiveRun, marker: string): Promise<void> {
    const title = titleOf(marker);
    if (title !== undefined && isUntitled(this.#active(run))) await this.#set(run, title, "model");
  }

  /**
   * Without a title from the model or the person, the first user message gives one. A first run that was
   * stopped leaves the title with which its conversation began.
   */
  async setAtEnd(run: ActiveRun, isStopped: boolean): Promise<void> {
    const { titleSetBy, title: before } = this.#active(run);
    if (titleSetBy !== "default" || !isUntitled(this.#active(run))) return;
    const title = isStopped ? "" : await this.#firstTitle(run);
    if (title !== "") return this.#set(run, title, "service");
    if (before !== firstTitle) return;
    const numbered = await this.free(before, run.conversationId);
    if (numbered !== before) this.#parts.conversations.setLater(run.conversationId, { title: numbered });
  }

  async #firstTitle(run: ActiveRun): Promise<string> {
    const { title } = this.#foreseen.get(run.conversationId) ?? {};
    return title ?? titleFrom(await firstUserText(this.#parts, run));
  }

  #active({ conversationId }: ActiveRun): Conversation {
    return this.#parts.conversations.active(conversationId);
  }

  /** Numbers a title that is taken, and tells the client. */
  async #set(run: ActiveRun, newTitle: string, titleSetBy: "model" | "service"): Promise<void> {
    const isFree = await this.#wasFree(newTitle, run.conversationId);
    const title = isFree ? this.#give(newTitle) : await this.free(newTitle, run.conversationId);
    if (this.#active(run).titleSetBy === "user") return;
    run.emit({ type: "title", title });
    this.#parts.conversations.setLater(run.conversationId, { title, titleSetBy });
  }
}

/** Keeps the newest ones. */
function remember<V>(known: Map<string, V>, key: string, value: V): void {
  known.delete(key);
  known.set(key, value);
  const [oldest = ""] = known.keys();
  if (known.size > most) known.delete(oldest);
}

const isUsers = ({ role }: ChatMessage | Message): boolean => role === "user";

async function firstUserText({ conversations }: Parts, run: ActiveRun): Promise<string> {
  return textOf(
    run.request.messages.find(isUsers) ??
      (await conversations.messages(run.conversationId, { limit: 10 })).find(isUsers),
  );
}

function textOf(message: ChatMessage | Message | undefined): string {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  const texts = content.filter((part) => part.type === "text");
  return texts.map(({ text }) => text).join(" ");
}
