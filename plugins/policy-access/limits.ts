import { createRequire } from "node:module";
import type * as library from "rate-limiter-flexible";
import { AppError, type PreferenceService } from "@pergola/sdk";
import type { LimitState } from "@pergola/sdk/host";

/** Its limiters for databases, which its entry would load too, would cost each start. */
const load = createRequire(import.meta.url);
const RateLimiterMemory = load(
  "rate-limiter-flexible/lib/RateLimiterMemory.js",
) as typeof library.RateLimiterMemory;
const RateLimiterRes = load("rate-limiter-flexible/lib/RateLimiterRes.js") as typeof library.RateLimiterRes;
type RateLimiterRes = library.RateLimiterRes;

interface Limiter {
  readonly points: number;
  readonly duration: number;
  readonly memory: library.RateLimiterMemory;
}

const newLimiter = (points: number, duration: number): Limiter => ({
  points,
  duration,
  memory: new RateLimiterMemory({ points, duration }),
});

/** Wrong credentials of all places together, so that many places do not fill the memory. */
const failuresOfAll = 600;

const withoutValid = "requests without a valid token or code (one that brings no token counts, too)";

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

function tooMany(
  what: string,
  { points: limit, duration: window }: Limiter,
  result: RateLimiterRes,
): AppError {
  const retryAfter = secondsOf(result);
  const message = `Too many ${what}; try again in ${retryAfter} s.`;
  return new AppError({ code: "rate_limited", message, retryAfter, details: { limit, window } });
}

/** The result of one more, and whether it was one too many. */
async function take(
  { memory }: Limiter,
  key: string,
): Promise<{ readonly result: RateLimiterRes; readonly isOver: boolean }> {
  try {
    return { result: await memory.consume(key), isOver: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { result: error, isOver: true };
    throw error;
  }
}

const stateOf = ({ points }: Limiter, result: RateLimiterRes): LimitState => ({
  limit: points,
  remaining: Math.max(0, result.remainingPoints),
  reset: secondsOf(result),
});

/** How often callers may ask, and how often they may be wrong. Kept in memory: a restart forgives. */
export class Limits {
  readonly #preferences: PreferenceService;
  readonly #limiters = new Map<string, Limiter>();
  readonly #failuresOfAll = newLimiter(failuresOfAll, 60);
  readonly #runs = new Map<string, number>();

  constructor(preferences: PreferenceService) {
    this.#preferences = preferences;
  }

  /** Made anew, and forgiving, when its preference changes. */
  #limiter(name: string, duration: number): Limiter {
    const points = this.#preferences.get<number>(`rate_limit.${name}`);
    const known = this.#limiters.get(name);
    if (known?.points === points) return known;
    const made = newLimiter(points, duration);
    this.#limiters.set(name, made);
    return made;
  }

  /**
   * Counts a request under a key. The second's limit comes first: what it refuses is not charged to the
   * minute.
   */
  async take(key: string): Promise<LimitState> {
    const burst = this.#limiter("burst", 1);
    const second = await take(burst, key);
    if (second.isOver)
      return { ...stateOf(burst, second.result), refusal: tooMany("requests", burst, second.result) };
    const perMinute = this.#limiter("requests_per_minute", 60);
    const ofSecond = stateOf(burst, second.result);
    if (perMinute.points === 0) return ofSecond;
    const minute = await take(perMinute, key);
    const ofMinute = stateOf(perMinute, minute.result);
    if (minute.isOver) return { ...ofMinute, refusal: tooMany("requests", perMinute, minute.result) };
    return ofMinute.remaining < ofSecond.remaining ? ofMinute : ofSecond;
  }

  /** Counts a wrong credential, or a missing one. Throws `rate_limited` once there are too many. */
  async fail(place: string): Promise<void> {
    const ofPlace = this.#limiter("failed_auth_per_minute", 60);
    const known = await ofPlace.memory.get(place);
    if (known !== null && known.remainingPoints <= 0) throw tooMany(withoutValid, ofPlace, known);
    const all = await take(this.#failuresOfAll, "all");
    if (all.isOver) throw tooMany(withoutValid, this.#failuresOfAll, all.result);
    await take(ofPlace, place);
  }

  /** Counts a run until the function that it gives is called. */
  beginRun(callerId: string): () => void {
    const limit = this.#preferences.get<number>("rate_limit.parallel_runs");
    const open = this.#runs.get(callerId) ?? 0;
    if (open >= limit) {
      const message = `This token has ${open} runs at work, and may have ${limit}; wait until one has ended.`;
      throw new AppError({ code: "rate_limited", message, retryAfter: 5, details: { limit } });
    }
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
