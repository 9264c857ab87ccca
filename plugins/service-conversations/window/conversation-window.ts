import {
  AppError,
  defined,
  estimateTokens,
  type ChatMessage,
  type Conversation,
  type Message,
  type Todo,
  type Write,
} from "@pergola/sdk";
import type { ArchiveDraft, ArchiveRecord, ConversationKeeper, Parts } from "@pergola/sdk/host";
import { summaryRoom, windowRoom, usable, type Room } from "./budget.ts";
import { chooseCut, type Cut, type Weight } from "./choose-cut.ts";
import { digestOf } from "./digest.ts";
import { entriesOf, tokensOf, type Entry } from "./entries.ts";
import { firstUserMessage, pinnedBefore, sampleOf, type WindowContents } from "./read-window.ts";
import { plainDigest, renderBlock, renderDigest } from "./render-digest.ts";
import { withSummary } from "./with-summary.ts";

/** Characters of a record's own summary. */
const summaryLength = 2000;

/** Of the block; a line's end counts twice. */
const charactersPerToken = 3.6;

type WindowOutline = ReturnType<ConversationKeeper["outlineWindow"]>;
type Archived = Pick<ArchiveRecord, "last" | "digest" | "block" | "imported">;

/** Least and most characters of the block of an imported summary: its file had to fit in the same window. */
const importedRoom = { least: 1500, most: 8000 };

/** A file's own words never stand in the person's turn: the block is made again from its notes. */
function ownBlock(archived: Archived | undefined): Archived | undefined {
  if (archived?.imported !== true) return archived;
  const digest = plainDigest(archived.digest);
  const room = Math.max(importedRoom.least, Math.min(archived.block.length, importedRoom.most));
  return { ...archived, digest, block: renderBlock(digest, [], { room, isImported: true }) };
}

/**
 * What a model sees of one conversation while a run works on it: grows with each message, and is cut when it
 * does not fit any more.
 */
export class ConversationWindow {
  readonly #parts: Parts;
  readonly #conversation: () => Conversation;
  #archived: Archived | undefined;
  #head: readonly Entry[];
  #entries: Entry[];
  #hasMore: boolean;
  #sent: ChatMessage[] = [];
  #tokens = 0;
  /** Of these, those of the block. */
  #summaryTokens = 0;
  #writes: readonly Write[] = [];

  constructor(
    parts: Parts,
    conversation: () => Conversation,
    { archived, head, entries, hasMore }: WindowContents,
  ) {
    this.#parts = parts;
    this.#conversation = conversation;
    this.#archived = ownBlock(archived);
    this.#head = head;
    this.#entries = [...entries];
    this.#hasMore = hasMore;
    this.#render();
  }

  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#sent.push(entry.chat);
      this.#tokens += entry.tokens;
    }
  }

  /** The writes that archive what was left out since they were last taken. */
  takeWrites(): readonly Write[] {
    const writes = this.#writes;
    this.#writes = [];
    return writes;
  }

  /**
   * What a model is to see. Rejects with `context_length_exceeded` when what cannot be left out does not fit.
   */
  async messages(room: Room): Promise<readonly ChatMessage[]> {
    if (this.#hasMore || this.#tokens > windowRoom(room)) await this.#cut(room);
    return this.#sent;
  }

  /** What of it a model sees, as it was last cut. */
  get outline(): Omit<WindowOutline, "contextWindow"> {
    return {
      ...defined({ last: (this.#entries.at(-1) ?? this.#head.at(-1))?.stored.id }),
      from: this.#start,
      kept: this.#head.map(({ stored }) => stored.seq),
      archived: this.#lastArchived,
      summary: this.#summaryTokens,
      history: this.#tokens - this.#summaryTokens,
    };
  }

  #render(): void {
    const head = withSummary(this.#head, this.#archived?.block);
    this.#sent = [...head, ...this.#entries.map(({ chat }) => chat)];
    const headTokens = estimateTokens({ messages: head, tools: [] });
    this.#summaryTokens = headTokens - tokensOf(this.#head);
    this.#tokens = headTokens + tokensOf(this.#entries);
  }

  async #cut(room: Room): Promise<void> {
    const first = await this.#firstUserMessage();
    const newest = [...this.#head, ...this.#entries].findLast(isUsers);
    const head = await this.#fullHead();
    const cut = chooseCut(head, this.#entries, this.#weight(newest, first), room);
    await this.#archive(cut, first, room);
    this.#head = cut.head;
    this.#entries = [...cut.tail];
    this.#hasMore = false;
    this.#render();
    const lost = cut.dropped.filter((entry) => entry === newest);
    if (lost.length > 0 || this.#tokens > windowRoom(room))
      throw tooLarge(this.#tokens + tokensOf(lost) + room.reserved, room);
  }

  get #id(): string {
    return this.#conversation().id;
  }

  get #start(): number {
    return this.#firstOf(this.#entries);
  }

  /** The number of the first of them, or of the message to come. */
  #firstOf(entries: readonly Entry[]): number {
    return entries[0]?.stored.seq ?? this.#conversation().nextSeq;
  }

  async #firstUserMessage(): Promise<Message | undefined> {
    if (this.#archived !== undefined || this.#hasMore)
      return firstUserMessage(this.#parts, this.#conversation());
    return [...this.#head, ...this.#entries].find(isUsers)?.stored;
  }

  /** Also what is to be seen of the messages that were not read. */
  async #fullHead(): Promise<readonly Entry[]> {
    if (!this.#hasMore) return this.#head;
    const pinned = await pinnedBefore(this.#parts, this.#conversation(), this.#start);
    const known = new Set(this.#head.map(({ stored }) => stored.seq));
    return [...this.#head, ...pinned.filter(({ stored }) => !known.has(stored.seq))].toSorted(
      (a, b) => a.stored.seq - b.stored.seq,
    );
  }

  #weight(newest: Entry | undefined, first: Message | undefined): Weight {
    const pinned = new Set(this.#conversation().pinnedMessageIds);
    return (entry) => {
      if (entry === newest) return 1000;
      const { id, isPinned, importance = 0.5 } = entry.stored;
      if (id === first?.id && isPinned !== false) return 100;
      if (pinned.has(id)) return 1 + importance;
      return 0;
    };
  }

  /** Makes the block that stands for what is dropped, and the record of it. */
  async #archive({ head, dropped }: Cut, first: Message | undefined, room: Room): Promise<void> {
    const after = this.#lastArchived;
    const unread = await this.#unread(after);
    const ids = new Set(head.map(({ stored }) => stored.id));
    const gone = [...unread.filter(({ id }) => !ids.has(id)), ...dropped.map(({ stored }) => stored)];
    const { last, branch } = endOf([...gone, ...head.map(({ stored }) => stored)], after);
    if (gone.length === 0 && last <= after) return;
    const digest = digestOf(gone, first, this.#archived?.digest);
    const isGoalVisible = first !== undefined && ids.has(first.id);
    const summarized = { ...digest, ...(isGoalVisible && { goal: "" }) };
    const isImported = this.#archived?.imported;
    const size = summaryRoom(room) * charactersPerToken;
    const block = renderBlock(summarized, await this.#todos(), { room: size, isImported });
    this.#archived = defined({ last: Math.max(after, last), digest, block, imported: isImported });
    if (last <= after) return;
    let [oldest] = gone;
    if (after === 0) oldest = first;
    const record: ArchiveDraft = {
      ...this.#span(oldest, gone.at(-1)),
      conversationId: this.#id,
      first: after + 1,
      last,
      messages: last - after,
      summary: renderDigest(digestOf(gone, first), [], summaryLength),
      tokenCount: tokensOf(dropped) + tokensOf(entriesOf(unread)),
      reason: this.#reasonIn(room),
      digest,
      block,
      kept: head.map(({ stored }) => stored.seq),
    };
    const placed = defined({ ...record, branch, imported: isImported });
    this.#writes = [...this.#writes, ...(this.#parts.archive?.writes(placed) ?? [])];
  }

  /** A sample of the messages that were never read into the window. */
  async #unread(after: number): Promise<readonly Message[]> {
    if (this.#hasMore) return sampleOf(this.#parts, this.#id, after, this.#start);
    return [];
  }

  get #lastArchived(): number {
    return this.#archived?.last ?? 0;
  }

  async #todos(): Promise<readonly Todo[]> {
    return (await this.#parts.todos?.list(this.#id)) ?? [];
  }

  #span(first: Message | undefined, last: Message | undefined) {
    const now = this.#parts.timestamp();
    return {
      from: first?.timestamp ?? now,
      to: last?.timestamp ?? now,
    };
  }

  #reasonIn(room: Room): ArchiveDraft["reason"] {
    if (this.#tokens > windowRoom(room)) return "token_limit";
    return "conversation_trimmed";
  }
}

/** The number and the branch of the last of these messages. */
function endOf(messages: readonly Message[], after: number): Pick<ArchiveDraft, "last" | "branch"> {
  const last = messages.toSorted((a, b) => a.seq - b.seq).at(-1);
  return defined({ last: last?.seq ?? after, branch: last?.branch });
}

const isUsers = ({ stored }: Entry): boolean => stored.role === "user";

function tooLarge(tokens: number, { contextWindow }: Room): AppError {
  const room = usable(contextWindow);
  return new AppError({
    code: "context_length_exceeded",
    message:
      `The message, with the system prompt and the tools, needs about ${tokens} tokens; ` +
      `a context of ${contextWindow} has room for ${room}. Offer fewer tools, or a model with more; ` +
      "models.overrides tells a model's contextWindow where its provider does not.",
    details: { tokens, contextWindow, usable: room },
  });
}
