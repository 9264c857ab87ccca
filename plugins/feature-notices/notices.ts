import { setTimeout } from "node:timers/promises";
import { ToolError } from "@pergola/sdk";
import { retryAfterOf, type Notice, type NoticeService, type PartLife, type Parts } from "@pergola/sdk/host";
import { signedHeaders } from "./sign.ts";

/** Rejects when the signal comes first. */
type Sleep = (seconds: number, signal: AbortSignal) => Promise<void>;

const sleepFor: Sleep = (seconds, signal) => setTimeout(seconds * 1000, undefined, { signal });

type Webhook = {
  readonly url: string;
  readonly secret: string;
  readonly events?: readonly string[];
};

/** Why a try did not arrive. */
interface Refusal {
  readonly error: Error;
  /** Seconds for which the receiver wants to be left alone. */
  readonly after: number;
  /** It never wants to be told again. */
  readonly isFinal: boolean;
}

/** Seconds before each further try, and the longest that a receiver may ask for. */
const waits: readonly number[] = [1, 10, 60, 300, 1800];
const longestWait = 3600;
/** Notices on their way to one webhook; what comes beyond is let go, with a line in the log. */
const most = 1000;
/** A receiver that wants no more, by the specification of Standard Webhooks. */
const gone = 410;
/** A program of the person's desktop needs these to be seen there. */
const desktop = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"];

/** Sends each notice to the webhooks of the settings, and starts the program that they name. */
export class Notices implements NoticeService, PartLife {
  readonly #parts: Parts;
  readonly #stopping = new AbortController();
  readonly #onTheWay = new Set<Promise<void>>();
  /** How many are on their way to a webhook, by its address. */
  readonly #waiting = new Map<string, number>();
  readonly #sleep: Sleep;

  constructor(parts: Parts, sleep: Sleep = sleepFor) {
    this.#parts = parts;
    this.#sleep = sleep;
  }

  send(notice: Notice): void {
    const { preferences } = this.#parts;
    const webhooks = preferences.get<readonly Webhook[]>("notify.webhooks");
    for (const webhook of webhooks)
      if (webhook.events?.includes(notice.type) !== false) this.#track(notice, this.#post(webhook, notice));
    const [program, ...args] = preferences.get<readonly string[]>("notify.command");
    if (program !== undefined) this.#track(notice, this.#start(program, args, notice));
  }

  /** What is still on its way is given up: its tries may go on for an hour. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#onTheWay);
  }

  #track({ type, id }: Notice, work: Promise<void>): void {
    const noted = work
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.#parts.log.warn({ error, type, id }, "nobody could be told of an event");
      })
      .finally(() => this.#onTheWay.delete(noted));
    this.#onTheWay.add(noted);
  }

  /** A webhook that does not answer holds up its own notices alone. */
  async #post(webhook: Webhook, notice: Notice): Promise<void> {
    const waiting = this.#waiting.get(webhook.url) ?? 0;
    if (waiting >= most) throw new Error(`${most} notices are on their way to this webhook already`);
    this.#waiting.set(webhook.url, waiting + 1);
    try {
      await this.#deliver(webhook, notice);
    } finally {
      this.#waiting.set(webhook.url, (this.#waiting.get(webhook.url) ?? 1) - 1);
    }
  }

  async #deliver(webhook: Webhook, { type, id, ...of }: Notice): Promise<void> {
    const seconds = Math.floor(this.#parts.clock.now() / 1000);
    const event = { id: `evt_${id.replace(/^[a-z]+_/, "")}`, object: "event", type, created_at: seconds };
    const body = JSON.stringify({ ...event, data: { id, ...of } });
    for (let tries = 0; ; tries++) {
      const refusal = await this.#try(webhook, event.id, body);
      if (refusal === undefined) return;
      const { error, after, isFinal } = refusal;
      const wait = waits[tries];
      if (wait === undefined || isFinal) throw error;
      if (tries === 0)
        this.#parts.log.warn({ type, id, error }, "a webhook was not reached; it is tried again");
      await this.#sleep(Math.max(wait, Math.min(after, longestWait)), this.#stopping.signal);
    }
  }

  /** Each try has a signature of its own time. Gives why it did not arrive. */
  async #try({ url, secret }: Webhook, id: string, body: string): Promise<Refusal | undefined> {
    const { clock } = this.#parts;
    const seconds = Math.floor(clock.now() / 1000);
    const { signal } = this.#stopping;
    const fetch = this.#parts.doors.fetch({ ...this.#reach(signal), hosts: "any" });
    const headers = signedHeaders(secret, { id, seconds, body });
    const asked = { method: "POST", headers, body, redirect: "manual", timeoutSeconds: 15, maxBytes: 65_536 };
    try {
      const { status, headers: told } = await fetch(url, asked as Parameters<typeof fetch>[1]);
      if (status >= 200 && status < 300) return undefined;
      const after = retryAfterOf(told.get("retry-after"), clock.now()) ?? 0;
      return { error: new Error(`the webhook answered ${status}`), after, isFinal: status === gone };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Error && ToolError.is(error)) return { error, after: 0, isFinal: false };
      throw error;
    }
  }

  async #start(program: string, args: readonly string[], notice: Notice): Promise<void> {
    const { type, id, conversationId, runId } = notice;
    const { environment, doors } = this.#parts;
    const env: Record<string, string> = {};
    for (const name of desktop) if (environment[name]) env[name] = environment[name];
    const spawn = doors.spawn({ ...this.#reach(this.#stopping.signal), programs: "any" });
    const { exitCode } = await spawn(program, [...args, type, id, conversationId, runId ?? ""], {
      env,
      timeoutSeconds: 60,
      maxOutputBytes: 4096,
    });
    if (exitCode !== 0) throw new Error(`notify.command ended with ${exitCode ?? "a signal"}`);
  }

  #reach(signal: AbortSignal) {
    const configured = { folders: [], origins: [] };
    return { workingDirectory: this.#parts.dataDirectory, signal, paths: [], configured };
  }
}
