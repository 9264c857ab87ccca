import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { AppError, type Clock, type Collection, type Log, type Storage, type Stored } from "@pergola/sdk";

const collection = "policy-access/rates";

/** What a host takes at a time of what is left for all: one part of so many, and no less than a few. */
const [parts, few] = [20, 3];

/** How often it is tried anew where other hosts take at the same moment, and how long it waits at most. */
const [mostTries, longestWait] = [100, 20];

/** Milliseconds between two removals of windows that have ended, and how many go at a time. */
const [sweepPause, sweepCount] = [60_000, 500];

/** What a limit gives out in a window of time, for a key. */
interface StoredWindow {
  readonly id: string;
  /** When it ends, in milliseconds since 1970. */
  readonly ends: number;
  /** What all hosts have taken of it. */
  readonly taken: number;
}

/** What this host has taken and not used. */
interface Portion {
  readonly ends: number;
  left: number;
  /** Left for all hosts when it was looked at last. */
  common: number;
  asking?: Promise<void> | undefined;
  /** The record as this host knows it, perhaps of an earlier window. */
  known?: Stored<StoredWindow> | undefined;
}

/** A limit: `points` requests within `duration` seconds. */
export interface RateLimit {
  readonly name: string;
  readonly points: number;
  readonly duration: number;
}

/** What one more came to. */
export interface Taken {
  readonly isOver: boolean;
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/**
 * Limits that hold over all hosts which share a storage. Windows begin at whole multiples of their length, by
 * each host's clock. A host takes a portion of what is left and gives it out by itself, so that few requests
 * wait for the storage: together the hosts never give out more than the limit, and one that has nothing left
 * may refuse while another has a part of it.
 */
export class SharedWindows {
  readonly #windows: Collection<StoredWindow>;
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #portions = new Map<string, Portion>();
  #swept = 0;

  constructor(storage: Storage, clock: Clock, log: Log) {
    this.#windows = storage.collection<StoredWindow>(collection, { indexes: ["ends"] });
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
  }

  /** Counts one more. Rejects with `storage_unavailable`. */
  async take(limit: RateLimit, key: string): Promise<Taken> {
    const id = idOf(limit, key);
    const now = this.#clock.now();
    const portion = this.#portionOf(id, limit, now);
    while (portion.left === 0 && (portion.common > 0 || portion.asking !== undefined)) {
      portion.asking ??= this.#ask(id, limit, portion).finally(() => (portion.asking = undefined));
      await portion.asking;
    }
    const isOver = portion.left === 0;
    if (!isOver) portion.left -= 1;
    return { isOver, remainingPoints: portion.left + portion.common, msBeforeNext: portion.ends - now };
  }

  /** Whether nothing is left, as far as this host knows. */
  isOver(limit: RateLimit, key: string): Taken | undefined {
    const now = this.#clock.now();
    const portion = this.#portions.get(idOf(limit, key));
    if (portion === undefined || portion.ends <= now || portion.left + portion.common > 0) return undefined;
    return { isOver: true, remainingPoints: 0, msBeforeNext: portion.ends - now };
  }

  #portionOf(id: string, { duration, points }: RateLimit, now: number): Portion {
    const known = this.#portions.get(id);
    if (known !== undefined && known.ends > now) return known;
    this.#sweep(now);
    const length = duration * 1000;
    const made: Portion = {
      ends: (Math.floor(now / length) + 1) * length,
      left: 0,
      common: points,
      known: known?.known,
    };
    this.#portions.set(id, made);
    return made;
  }

  /** Takes a portion of what is left for all. What is known is tried first: others seldom write. */
  async #ask(id: string, limit: RateLimit, portion: Portion): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      portion.known ??= await this.#windows.get(id);
      const { known } = portion;
      const { window, part, free } = takenFrom(known, portion.ends, limit);
      if (part === 0) return void (portion.common = 0);
      const version = known?.version ?? 0;
      portion.known = undefined;
      try {
        await this.#windows.put({ id, ...window }, { ifVersion: version });
        portion.known = { id, ...window, version: version + 1 };
        portion.common = free - part;
        portion.left += part;
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === mostTries) throw error;
        await setTimeout(Math.random() * Math.min(longestWait, 2 * attempt));
      }
    }
  }

  /** Forgets windows that have ended, here and in the storage. */
  #sweep(now: number): void {
    if (now - this.#swept < sweepPause) return;
    this.#swept = now;
    for (const [id, { ends }] of this.#portions) if (ends + sweepPause <= now) this.#portions.delete(id);
    this.#removeEnded(now).catch((error: unknown) =>
      this.#log.debug({ error }, "windows of limits that have ended could not be removed"),
    );
  }

  async #removeEnded(now: number): Promise<void> {
    const ended = await this.#windows.find({ ends: { lt: now - sweepPause } }, { limit: sweepCount });
    for (const { id, version } of ended)
      await this.#storage.commit([{ collection, delete: id, ifVersion: version }]);
  }
}

/** What a host takes of a window, and what the window is then: one that another clock has begun stays. */
function takenFrom(known: StoredWindow | undefined, ends: number, { points }: RateLimit) {
  const isCurrent = known !== undefined && known.ends >= ends;
  const taken = isCurrent ? known.taken : 0;
  const free = Math.max(0, points - taken);
  const part = Math.min(free, Math.max(few, Math.floor(free / parts)));
  return { free, part, window: { ends: isCurrent ? known.ends : ends, taken: taken + part } };
}

/** A place or a token's id may be long; nobody has to read them in the storage. */
const idOf = ({ name }: RateLimit, key: string): string =>
  `${name}/${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`;

const isConflict = (error: unknown): boolean => AppError.is(error) && error.code === "conflict";
