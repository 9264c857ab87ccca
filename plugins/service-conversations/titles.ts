import type { Conversation } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { firstTitle } from "./new-conversation.ts";
import { titleFrom, titleOf } from "./title.ts";

const isUntitled = ({ title, titleSetBy }: Conversation): boolean =>
  title.startsWith(firstTitle) && titleSetBy !== "user";

/** Titles whose last number is remembered. */
const most = 1000;

/** The titles of conversations: chosen, and numbered where they are taken. */
export class Titles {
  readonly #parts: Parts;
  /** The number that a title got last. */
  readonly #numbers = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The title, with ` (n)` where a conversation other than `ownId` has it. */
  async free(title: string, ownId?: string): Promise<string> {
    if (!(await this.#isTaken(title, ownId))) return title;
    const stem = title.replace(/ \(\d+\)$/, "");
    if (!this.#numbers.has(stem)) this.#remember(stem, 1 + (await this.#countNumbered(stem)));
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
    this.#remember(stem, next);
    return next;
  }

  #remember(stem: string, number: number): void {
    this.#numbers.set(stem, number);
    const [oldest = ""] = this.#numbers.keys();
    if (this.#numbers.size > most) this.#numbers.delete(oldest);
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
    const title = isStopped ? "" : titleFrom(await firstUserText(this.#parts, run));
    if (title !== "") return this.#set(run, title, "service");
    if (before !== firstTitle) return;
    const numbered = await this.free(before, run.conversationId);
    if (numbered !== before) this.#parts.conversations.setLater(run.conversationId, { title: numbered });
  }

  #active({ conversationId }: ActiveRun): Conversation {
    return this.#parts.conversations.active(conversationId);
  }

  /** Numbers a title that is taken, and tells the client. */
  async #set(run: ActiveRun, newTitle: string, titleSetBy: "model" | "service"): Promise<void> {
    const title = await this.free(newTitle, run.conversationId);
    if (this.#active(run).titleSetBy === "user") return;
    run.emit({ type: "title", title });
    this.#parts.conversations.setLater(run.conversationId, { title, titleSetBy });
  }
}

async function firstUserText({ conversations }: Parts, run: ActiveRun): Promise<string> {
  const isUsers = ({ role }: { readonly role: string }): boolean => role === "user";
  const first =
    run.request.messages.find(isUsers) ??
    (await conversations.messages(run.conversationId, { limit: 10 })).find(isUsers);
  const content = first?.content ?? "";
  if (typeof content === "string") return content;
  const texts = content.filter((part) => part.type === "text");
  return texts.map(({ text }) => text).join(" ");
}
