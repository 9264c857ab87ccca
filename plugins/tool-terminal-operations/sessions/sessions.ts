import { randomUUID } from "node:crypto";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { settingsOf } from "../settings.ts";
import { Session, type SessionFacts, type Start } from "./session.ts";

/** Running sessions of one scope and of all, and ended ones of a scope whose output can still be read. */
const mostOfScope = 8;
const mostOfAll = 32;
const mostEnded = 16;
/** Milliseconds between two looks for idle sessions. */
const lookEvery = 15_000;

type Caller = Pick<ToolContext, "scope" | "clock" | "settings">;

const idsOf = (sessions: readonly Session[]): string => sessions.map(({ facts }) => facts.id).join(", ");

/** The sessions of every scope. They live in the host's process and end with it. */
export class Sessions {
  readonly #all = new Map<string, Session>();
  #looking: NodeJS.Timeout | undefined;
  #idleMilliseconds = Infinity;
  #hosts = 0;
  #isOpen = true;

  /** Starts a session. Throws ToolError `conflict` when there are too many, and what `start` throws. */
  async open(caller: Caller, facts: Omit<SessionFacts, "id" | "scope">, start: Start): Promise<Session> {
    await this.endIdle(caller);
    this.#checkRoom(caller.scope);
    const id = `term_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
    const session = new Session({ ...facts, id, scope: caller.scope }, caller.clock, start);
    this.#all.set(id, session);
    this.#looking ??= setInterval(() => void this.#endIdle(), lookEvery).unref();
    try {
      await session.started();
    } catch (error) {
      this.#all.delete(id);
      throw error;
    }
    return session;
  }

  /** A session of the caller's scope. Throws ToolError `not_found`, naming those that there are. */
  async find(caller: Caller, id: string): Promise<Session> {
    await this.endIdle(caller);
    const session = this.#all.get(id);
    if (session?.facts.scope === caller.scope) {
      session.use();
      return session;
    }
    const ids = idsOf(this.#of(caller.scope));
    const hint = (ids && `Sessions: ${ids}.`) || "There is no session; create one.";
    throw new ToolError("not_found", `Session "${id}" was not found.`, { hint });
  }

  /** The newest session of the caller's scope. */
  async newest(caller: Caller): Promise<Session | undefined> {
    await this.endIdle(caller);
    return this.#of(caller.scope).at(-1);
  }

  /** The newest session of the caller's scope with that name. */
  async newestNamed(caller: Caller, name: string): Promise<Session | undefined> {
    await this.endIdle(caller);
    return this.#of(caller.scope).findLast(({ facts }) => facts.name === name);
  }

  async close(session: Session): Promise<void> {
    await session.end();
    this.#all.delete(session.facts.id);
  }

  /** Ends the sessions that were idle for as long as the settings allow. */
  async endIdle({ settings }: Pick<Caller, "settings">): Promise<void> {
    this.#idleMilliseconds = settingsOf({ settings }).idleMilliseconds;
    await this.#endIdle();
  }

  /** A host begins to use the sessions. */
  start(): void {
    this.#hosts += 1;
    this.#isOpen = true;
  }

  /**
   * A host is done with them: every session ends. After the last host none can be opened until the next
   * `start`.
   */
  async stop(): Promise<void> {
    this.#hosts -= 1;
    this.#isOpen = this.#hosts > 0;
    clearInterval(this.#looking);
    this.#looking = undefined;
    await Promise.all([...this.#all.values()].map((session) => this.close(session)));
  }

  async #endIdle(): Promise<void> {
    const idle = [...this.#all.values()].filter((session) => session.idle >= this.#idleMilliseconds);
    await Promise.all(idle.map((session) => this.close(session)));
  }

  #of(scope: string): readonly Session[] {
    return [...this.#all.values()].filter(({ facts }) => facts.scope === scope);
  }

  /** Forgets the oldest ended sessions of the scope; refuses another running one above the limits. */
  #checkRoom(scope: string): void {
    if (!this.#isOpen)
      throw new ToolError("unavailable", "The service is stopping.", { hint: "Try again when it runs." });
    const ended = this.#of(scope).filter(({ status }) => status === "ended");
    const surplus = Math.max(0, ended.length - mostEnded + 1);
    for (const { facts } of ended.slice(0, surplus)) this.#all.delete(facts.id);
    const running = [...this.#all.values()].filter(({ status }) => status === "running");
    const own = running.filter(({ facts }) => facts.scope === scope);
    if (own.length < mostOfScope && running.length < mostOfAll) return;
    const ids = idsOf(own);
    throw new ToolError("conflict", `${running.length} sessions are running; no more may be started.`, {
      hint: (ids && `Close one first: ${ids}.`) || "Wait until one of them has ended.",
    });
  }
}

export const sessions = new Sessions();
