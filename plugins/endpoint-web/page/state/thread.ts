import type { EventSourceMessage } from "eventsource-parser";
import { batch, computed, signal } from "@preact/signals";
import { v4 as uuid } from "uuid";
import { beforeFrame, call, followRun, messageOf, pathOf } from "../link/index.ts";
import type { ChangePage, Detail, Message, MessagePage, Run } from "../link/index.ts";
import { say } from "../parts/index.ts";
import { counted } from "../text/format.ts";
import { open, replaceBy } from "./address.ts";
import { addStored, callStates, endedCalls, foldEvents, isLeft, lastAsked } from "./fold-run.ts";
import { headOf, leftOf, nameOfCall } from "./fold-run.ts";
import { type Answer, newAnswer, type Question, type Turn, turnsOf, wordsIn } from "./fold-run.ts";
import { changesSince, mostChanges, runsFor } from "./history.ts";
import { defaultModel, isGuide, listOf, offersModels, steer, titleOf } from "./service.ts";
import { addedSince, isAdded, keptUploads, naming, type Upload } from "./uploads.ts";

const pageSize = 200;
type Begun = Readonly<{ runId: string; messageId?: string }>;

/** A conversation as it is shown: what is stored of it, and the run that goes on in it. */
export class Thread {
  readonly id: string;
  isNew: boolean;
  readonly #stored = signal("New conversation");
  readonly title = computed(() => titleOf(this.id, this.#stored.value));
  readonly model = signal("");
  readonly turns = signal<readonly Turn[]>([]);
  /** How many of them were read after the others, in front of these. */
  readonly older = signal(0);
  readonly live = signal<Answer | undefined>(undefined);
  readonly isSending = signal(false);
  readonly state = signal<"loading" | "ready" | Readonly<{ error: unknown }>>("loading");
  readonly failure = signal("");
  /** What the person wants to send when the run ends. */
  readonly queued = signal("");
  readonly draft = signal("");
  readonly uploads = signal<readonly Upload[]>([]);
  /** When the last message was sent, by the clock of the service. */
  readonly #asked = signal("");
  readonly changes = signal<ChangePage["changes"]>([]);
  /** What somebody has added since the last message: the next one names it. */
  readonly added = computed(() => addedSince(this.#asked.value, this.changes.value));
  /** It is aborted when another conversation is shown. */
  readonly leaving = new AbortController();
  /** The position of the first message that is shown; 0 while older ones are read. */
  #at = 0;
  #runs: readonly Run[] = [];
  /** The messages of the first turn, where that is an answer: older ones may belong to it. */
  #head: readonly Message[] = [];
  #hasBranched = false;
  #followed = "";

  constructor(id?: string) {
    this.id = id ?? uuid();
    this.uploads.value = keptUploads(this);
    this.isNew = id === undefined;
    if (!this.isNew) return;
    this.state.value = "ready";
    this.draft.value = localStorage.getItem("pergola.draft") ?? "";
  }

  readonly path = (steps: readonly string[] = [], query: object = {}): string =>
    pathOf(["v1", "conversations", this.id, ...steps], { ...query });

  /** Reads the newest messages and all that is drawn with them, so that nothing comes between them later. */
  async load(): Promise<void> {
    const ofRuns = pathOf(["api", "runs"], { conversationId: this.id, limit: 25 });
    try {
      const [detail, page, runs] = await Promise.all([
        call<Detail>(this.path([], { messages: false })),
        this.#page({ limit: 50 }),
        listOf<Run>(ofRuns, "runs").catch(() => []),
        this.readChanges(),
      ]);
      // Between the two, something was added: what belongs together is read together.
      if (page.activeMessageId !== detail.activeMessageId) return await this.load();
      const left = leftOf(runs);
      const active = detail.activeRunId ?? left;
      // What was sent meanwhile is not in it.
      if (this.isSending.peek() || (this.live.peek() !== undefined && active === "")) return;
      this.#stored.value = detail.title;
      this.model.value = detail.model ?? "";
      this.draft.value ||= (detail.settings.draftMessage ?? "") as string;
      this.#at = page.at;
      const own = page.messages.filter(({ runId, role }) => runId !== active || role === "user");
      const others = runs.filter(({ id }) => id !== active);
      this.turns.value = turnsOf(own, others);
      [this.#runs, this.#head, this.older.value] = [runs, headOf(own), 0];
      await this.readChanges("more");
      this.#asked.value = lastAsked(this.turns.peek());
      if (active !== "") await this.follow(active, active === left ? "left" : undefined);
      this.state.value = "ready";
    } catch (error) {
      this.state.value = { error };
    }
  }

  readonly #page = (query: object = {}): Promise<MessagePage> =>
    call(this.path(["messages"], { limit: pageSize, ...query }));

  async choose(messageId = ""): Promise<void> {
    try {
      await call(this.path(), "PATCH", { activeMessageId: messageId });
      await this.load();
      open("c", this.id, "m", messageId);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.failure.value = messageOf(error);
    say(messageOf(error), true);
  }

  /** Reads what its runs have changed, as far back as is shown, or `more`; without an answer it stays. */
  async readChanges(more?: "more"): Promise<void> {
    const [known, first] = [more ? this.changes.peek() : [], this.turns.peek()[0]];
    if (more && known.length < mostChanges) return;
    this.changes.value = await changesSince(first?.time, this.id, known).catch(() => this.changes.peek());
  }

  async loadOlder(): Promise<void> {
    const end = this.#at;
    if (end === 0) return;
    this.#at = 0;
    const place = { at: Math.max(0, end - pageSize), limit: Math.min(end, pageSize) };
    const { at, messages } = await this.#page(place).catch(() => ({ at: end, messages: [] }));
    this.#runs = await runsFor(messages, this.id, this.#runs);
    this.#at = at;
    if (messages.length > 0) this.#putBefore(messages);
    await this.readChanges("more");
  }

  /** Draws older messages; those of a turn that is shown already are part of that. */
  #putBefore(messages: readonly Message[]): void {
    const rest = this.turns.peek().slice(this.#head.length > 0 ? 1 : 0);
    const drawn = new Set([...rest, this.live.peek()].map((turn) => turn?.id));
    const own = messages.filter(({ role, runId }) => role === "user" || !drawn.has(runId ?? ""));
    const older = turnsOf([...own, ...this.#head], this.#runs);
    this.#head = headOf([...own, ...this.#head]);
    batch(() => {
      this.older.value += older.length + rest.length - this.turns.peek().length;
      this.turns.value = [...older, ...rest];
    });
  }

  /**
   * Draws a run from its events; resolves once those are drawn that there were. Of one that is not `new`,
   * nobody is told what had ended in it before. One that is `left` is drawn whole.
   */
  follow(runId: string, how?: "new" | "left"): Promise<void> {
    const drawn = Promise.withResolvers<void>();
    if (this.#followed === runId) return Promise.resolve();
    this.#followed = runId;
    let answer = newAnswer(runId, new Date().toISOString());
    if (this.live.peek()?.id !== runId) this.live.value = answer;
    const heard = new Set<string>();
    let waiting: EventSourceMessage[] = [];
    let [isNews, tries] = [how === "new", 0];
    const begin = (): void => {
      // Whoever waits does not wait for the next try.
      if (tries++ > 0) drawn.resolve();
      waiting = [];
      answer = newAnswer(runId, answer.time);
    };
    const flush = (): void => {
      if (waiting.length === 0) return;
      foldEvents(answer, waiting.splice(0));
      for (const call of endedCalls(answer)) {
        if (isNews && !heard.has(call.id)) say(`${nameOfCall(call)}, ${callStates[call.status]}`);
        heard.add(call.id);
      }
      isNews = true;
      this.live.value = answer;
      drawn.resolve();
    };
    const take = (event: EventSourceMessage): void => {
      if (waiting.push(event) === 1 && how !== "left") beforeFrame(flush);
    };
    say("Answer begins");
    const isOver = followRun(runId, { begin, take }, this.leaving.signal)
      .catch((error: unknown) => ((this.failure.value = messageOf(error)), true))
      .then(async (hasEnded) => {
        const stored = hasEnded ? undefined : await this.#page().catch(() => undefined);
        this.#followed = "";
        flush();
        if (hasEnded) this.#end(answer);
        else addStored(answer, stored?.messages);
      });
    return Promise.race([drawn.promise, isOver]);
  }

  async readCalls(answer = this.live.peek()): Promise<void> {
    const page = await this.#page().catch(() => undefined);
    if (answer !== undefined) addStored(answer, page?.messages);
  }

  #end(answer: Answer): void {
    if (this.leaving.signal.aborted) return;
    this.turns.value = [...this.turns.peek(), answer];
    this.live.value = undefined;
    void this.readChanges();
    // With their messages known, turns can be found by them.
    void this.readCalls(answer).then(() => (this.turns.value = [...this.turns.peek()]));
    say(`Answer finished, ${counted(wordsIn(answer), "word")}`);
    const next = this.queued.peek();
    this.queued.value = "";
    if (next !== "") void this.send(next);
    else if (this.#hasBranched) void this.load();
  }

  /** Sends a message, or keeps it until the run ends: a draft where it never is. So is a refused one. */
  async send(text: string): Promise<void> {
    while (this.state.peek() === "loading") await new Promise((resolve) => setTimeout(resolve, 50));
    const run = this.live.peek();
    if (run !== undefined || this.isSending.peek()) {
      this.queued.value = text;
      // As everywhere, a new message ends what the service has left.
      if (isLeft(run?.run.peek())) void this.stop();
      return this.keepDraft(text);
    }
    void this.keepDraft("");
    await this.#start(this.turns.peek(), text);
  }

  /** Sends another text in place of a question: a branch beside it. */
  async edit(question: Question, text: string): Promise<void> {
    await this.#start(this.#before(question), text, async () => {
      const { messages } = await this.#page({ around: question.id, limit: 1 });
      return { parentMessageId: messages[0]?.parentMessageId ?? null };
    });
  }

  /** Has a question answered once more: a branch beside the answer. */
  async answerAgain(answer: Answer): Promise<void> {
    const before = this.#before(answer);
    await this.#start(before, "", () => ({ parentMessageId: before.at(-1)?.id, messages: [] }));
  }

  /** What stays where a branch begins in place of a turn. */
  #before(turn: Turn): readonly Turn[] {
    this.#hasBranched = true;
    return this.turns.peek().slice(0, this.turns.peek().indexOf(turn));
  }

  /** Begins a run behind some turns. What is refused leaves them as they are. */
  async #start(before: readonly Turn[], text: string, place?: () => object | Promise<object>): Promise<void> {
    this.failure.value = "";
    this.isSending.value = true;
    const [shown, time] = [this.turns.peek(), new Date().toISOString()];
    const whole = naming([...this.added.peek(), ...this.uploads.peek().filter(isAdded)], text);
    const turn: Turn = { kind: "user", id: `sent-${time}`, time, text: whole };
    this.turns.value = text === "" ? before : [...before, turn];
    offersModels.value = isGuide(this.model.peek() || defaultModel.peek());
    const isFirst = location.hash.replace(/^#?\/?/, "") === "";
    try {
      const { runId, messageId: id = turn.id } = await call<Begun>("/api/chat/completions", "POST", {
        model: this.model.peek() || "default",
        messages: [{ role: "user", content: whole }],
        conversationId: this.id,
        ...(await place?.()),
        stream: true,
        background: true,
        stream_options: { include_tool_events: true },
      });
      this.turns.value = this.turns.peek().map((one) => (one === turn ? { ...turn, id } : one));
      this.isNew = false;
      this.uploads.value = this.uploads.peek().filter((one) => !isAdded(one));
      for (const { at } of this.added.peek().slice(0, 1)) this.#asked.value = at;
      if (isFirst) replaceBy("c", this.id);
      void this.follow(runId, "new");
    } catch (error) {
      this.turns.value = shown;
      this.draft.value ||= text;
      this.#fail(error);
    }
    this.isSending.value = false;
  }

  /** Makes a new conversation before anything is sent in it. */
  async make(options: object = {}): Promise<void> {
    if (!this.isNew) return;
    await call("/v1/conversations", "POST", { id: this.id, ...options });
    await this.keepDraft("");
    this.isNew = false;
    replaceBy("c", this.id);
    await this.keepDraft(this.draft.peek());
  }

  async stop(): Promise<void> {
    const run = this.live.peek();
    if (run !== undefined) await steer(run.id, "cancel");
  }

  /** Keeps what is not sent yet: with the conversation, or in this browser before there is one. */
  async keepDraft(text: string): Promise<void> {
    if (this.isNew && this.turns.peek().length === 0) return localStorage.setItem("pergola.draft", text);
    await call(this.path(), "PATCH", { settings: { draftMessage: text } }).catch(() => undefined);
  }
}
