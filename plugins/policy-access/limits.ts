import { createRequire } from "node:module";
import type * as library from "rate-limiter-flexible";
import { AppError, type Log, type PreferenceService } from "@pergola/sdk";
import { freeAbandoned, type LimitState, type Parts, type StorageHosts } from "@pergola/sdk/host";
import { SharedWindows, type RateLimit, type Taken } from "./shared-windows.ts";

/** Its limiters for databases, which its entry would load too, would cost each start. */
const load = createRequire(import.meta.url);
const RateLimiterMemory = load(
  "rate-limiter-flexible/lib/RateLimiterMemory.js",
) as typeof library.RateLimiterMemory;
const RateLimiterRes = load("rate-limiter-flexible/lib/RateLimiterRes.js") as typeof library.RateLimiterRes;
type RateLimiterRes = library.RateLimiterRes;

interface Limiter extends RateLimit {
  readonly memory: library.RateLimiterMemory;
}

const newLimiter = (name: string, points: number, duration: number): Limiter => ({
  name,
  points,
  duration,
  memory: new RateLimiterMemory({ points, duration }),
});

/** Before the names that runs of tokens have where several hosts count them. */
const runPrefix = "policy-access/run/";

/** Wrong credentials of all places together, so that many places do not fill the memory. */
const failuresOfAll = 600;

const withoutValid = "requests without a valid token or code (one that brings no token counts, too)";

const secondsOf = ({ msBeforeNext }: Taken): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

function tooMany(what: string, { points: limit, duration: window }: Limiter, result: Taken): AppError {
  const retryAfter = secondsOf(result);
  const message = `Too many ${what}; try again in ${retryAfter} s.`;
  return new AppError({ code: "rate_limited", message, retryAfter, details: { limit, window } });
}

const takenOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): Taken => ({
  isOver,
  remainingPoints,
  msBeforeNext,
});

/** One more, where this host is the only one. */
async function takeHere({ memory }: Limiter, key: string): Promise<Taken> {
  try {
    return takenOf(await memory.consume(key), false);
  } catch (error) {
    if (error instanceof RateLimiterRes) return takenOf(error, true);
    throw error;
  }
}

const stateOf = ({ points }: Limiter, result: Taken): LimitState => ({
  limit: points,
  remaining: Math.max(0, result.remainingPoints),
  reset: secondsOf(result),
});

/** What limits are made of. */
export interface LimitParts extends Pick<Parts, "preferences" | "clock" | "log"> {
  readonly stores: Pick<Parts["stores"], "storage">;
}

/**
 * How often callers may ask, and how often they may be wrong. Where hosts share the storage they count
 * together; else the counts are kept in memory, and a restart forgives.
 */
export class Limits {
  readonly #preferences: PreferenceService;
  readonly #hosts: StorageHosts | undefined;
  readonly #shared: SharedWindows | undefined;
  readonly #log: Log;
  readonly #limiters = new Map<string, Limiter>();
  readonly #failuresOfAll = newLimiter("failed_auth_of_all", failuresOfAll, 60);
  readonly #runs = new Map<string, number>();

  constructor({ preferences, stores: { storage }, clock, log }: LimitParts) {
    this.#preferences = preferences;
    this.#hosts = storage.hosts;
    this.#shared = storage.hosts && new SharedWindows(storage, clock, log);
    if (storage.hosts !== undefined) freeAbandoned(storage.hosts, { prefix: runPrefix, log });
    this.#log = log;
  }

  #take(limiter: Limiter, key: string): Promise<Taken> {
    return this.#shared === undefined ? takeHere(limiter, key) : this.#shared.take(limiter, key);
  }

  /** What is known without counting: that nothing is left. */
  async #isOver(limiter: Limiter, key: string): Promise<Taken | undefined> {
    if (this.#shared !== undefined) return this.#shared.isOver(limiter, key);
    const known = await limiter.memory.get(key);
    return known !== null && known.remainingPoints <= 0 ? takenOf(known, true) : undefined;
  }

  /** Made anew, and forgiving, when its preference changes. */
  #limiter(name: string, duration: number): Limiter {
    const points = this.#preferences.get<number>(`rate_limit.${name}`);
    const known = this.#limiters.get(name);
    if (known?.points === points) return known;
    const made = newLimiter(name, points, duration);
    this.#limiters.set(name, made);
    return made;
  }

  /**
   * Counts a request under a key. The second's limit comes first: what it refuses is not charged to the
   * minute.
   */
  async take(key: string): Promise<LimitState> {
    const burst = this.#limiter("burst", 1);
    const second = await this.#take(burst, key);
    if (second.isOver) return { ...stateOf(burst, second), refusal: tooMany("requests", burst, second) };
    const perMinute = this.#limiter("requests_per_minute", 60);
    const ofSecond = stateOf(burst, second);
    if (perMinute.points === 0) return ofSecond;
    const minute = await this.#take(perMinute, key);
    const ofMinute = stateOf(perMinute, minute);
    if (minute.isOver) return { ...ofMinute, refusal: tooMany("requests", perMinute, minute) };
    return ofMinute.remaining < ofSecond.remaining ? ofMinute : ofSecond;
  }

  /** Counts a wrong credential, or a missing one. Throws `rate_limited` once there are too many. */
  async fail(place: string): Promise<void> {
    const ofPlace = this.#limiter("failed_auth_per_minute", 60);
    const known = await this.#isOver(ofPlace, place);
    if (known !== undefined) throw tooMany(withoutValid, ofPlace, known);
    const all = await this.#take(this.#failuresOfAll, "all");
    if (all.isOver) throw tooMany(withoutValid, this.#failuresOfAll, all);
    const one = await this.#take(ofPlace, place);
    // Other hosts may have counted the rest.
    if (this.#shared !== undefined && one.isOver) throw tooMany(withoutValid, ofPlace, one);
  }

  /** Counts a run until the function that it gives is called. */
  async beginRun(callerId: string): Promise<() => void> {
    const limit = this.#preferences.get<number>("rate_limit.parallel_runs");
    return this.#hosts === undefined
      ? this.#beginHere(callerId, limit)
      : this.#beginAmong(this.#hosts, callerId, limit);
  }

  /** A run has one of so many names, which its host loses when it is gone. */
  async #beginAmong(hosts: StorageHosts, callerId: string, limit: number): Promise<() => void> {
    const names = Array.from({ length: limit }, (_, at) => `${runPrefix}${callerId}/${at}`);
    const fence = await hosts.takeOne(names);
    if (fence === undefined) throw tooManyRuns(limit, limit);
    return () =>
      void hosts
        .release(fence)
        .catch((error: unknown) => this.#log.debug({ error }, "the place of a run could not be given back"));
  }

  #beginHere(callerId: string, limit: number): () => void {
    const open = this.#runs.get(callerId) ?? 0;
    if (open >= limit) throw tooManyRuns(open, limit);
    this.#runs.set(callerId, open + 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#endRun(callerId);
      isOpen = false;
    };
  }

  #endRun(callerId: string): void {
    const left = (this.#runs.get(callerId) ?? 1) - 1;
    if (left === 0) this.#runs.delete(callerId);
    else this.#runs.set(callerId, left);
  }
}

const tooManyRuns = (open: number, limit: number): AppError =>
  new AppError({
    code: "rate_limited",
    message: `This token has ${open} runs at work, and may have ${limit}; wait until one has ended.`,
    retryAfter: 5,
    details: { limit },
  });
