import { AppError, messageOf, PluginError, ToolError, type Log } from "@pergola/sdk";
import type { TapEffect, TapWatch } from "@pergola/sdk/host";
import type { TimeLimit, Wait } from "./time-limit.ts";

/**
 * How handlers combine: all in turn; the first answer; one value passed on and on; all at once, whose
 * failures are nobody's.
 */
export type HookKind = "series" | "bail" | "waterfall" | "notice";

export interface Count {
  readonly name: string;
  readonly plugin: string;
  calls: number;
  milliseconds: number;
  failures: number;
  lastError?: string;
}

export interface Tap {
  readonly count: Count;
  readonly handler: (...args: readonly unknown[]) => unknown;
}

export interface WalkRules {
  readonly kind: HookKind;
  /** How many arguments handlers get; who calls the hook may give a `TapWatch` behind them. */
  readonly arity: number;
  /** Whether an answer has the form that the callers rely on. */
  readonly fits: (answer: never) => boolean;
  /** Plugins that were left out after they had tapped. */
  readonly withdrawn: ReadonlySet<string>;
  readonly log: Log;
  /** A plugin failed in a series: it is at fault, the others go on. */
  readonly failed: (fault: PluginError) => void;
  /** What a handler may take. */
  readonly limit: TimeLimit;
}

interface Listeners {
  readonly answered: (answer: unknown) => void;
  readonly failed: (error: unknown) => void;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === "function";

/** A handler that refuses what the caller sent works as it should. */
const isRefusal = (error: unknown): error is AppError =>
  AppError.is(error) && error.status >= 400 && error.status < 500;

/** Whether a handler has decided something, or changed what it was given. */
const isNews = (answer: unknown, given: unknown): boolean => answer !== undefined && answer !== given;

const effectOf = ({ plugin, name }: Count, effect: Omit<TapEffect, "plugin" | "hook">): TapEffect => ({
  plugin,
  hook: name,
  ...effect,
});

/**
 * One call of handlers, one after the other. What answers at once is not waited for; what does not is
 * listened to by one pair of functions for all, in place of a promise for each.
 */
export class Walk implements Wait {
  /** Since when the handler works, by `performance.now()`. */
  from = performance.now();
  readonly #rules: WalkRules;
  readonly #taps: readonly Tap[];
  readonly #others: readonly unknown[];
  readonly #watch: TapWatch | undefined;
  #value: unknown;
  #at = 0;
  #resolve!: (value: unknown) => void;
  #reject!: (error: unknown) => void;
  /** Others from a handler on that took too long: what it answers later is nobody's business. */
  #listeners: Listeners | undefined;

  constructor(rules: WalkRules, taps: readonly Tap[], args: readonly unknown[]) {
    this.#rules = rules;
    this.#taps = taps;
    this.#value = args[0];
    this.#others = args.slice(1, rules.arity);
    this.#watch = args[rules.arity] as TapWatch | undefined;
  }

  /** Resolves to the answer or the value passed on; rejects with what the caller is to see. */
  run(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#go();
    });
  }

  get #tap(): Tap {
    return this.#taps[this.#at]!;
  }

  /** Calls handlers until one does not answer at once, or the walk is over. */
  #go(): void {
    for (; this.#at < this.#taps.length; this.#at++) {
      const { count, handler } = this.#tap;
      if (this.#rules.withdrawn.has(count.plugin)) continue;
      count.calls += 1;
      let answer: unknown;
      try {
        answer = handler(this.#value, ...this.#others);
        if (isPromise(answer)) return this.#listen(answer);
      } catch (error) {
        if (this.#isEndedBy(error)) return;
        continue;
      }
      if (this.#isOverWith(answer)) return;
    }
    this.#end();
    this.#resolve(this.#rules.kind === "waterfall" ? this.#value : undefined);
  }

  #listen(answer: PromiseLike<unknown>): void {
    this.#rules.limit.add(this);
    const { answered, failed } = (this.#listeners ??= this.#newListeners());
    Promise.resolve(answer).then(answered, failed);
  }

  #newListeners(): Listeners {
    const listeners: Listeners = {
      answered: (answer) => {
        if (this.#listeners === listeners) this.#goOnUnless(this.#isOverWith(answer));
      },
      failed: (error) => {
        if (this.#listeners === listeners) this.#goOnUnless(this.#isEndedBy(error));
      },
    };
    return listeners;
  }

  /** A handler took too long. */
  overdue(error: Error): void {
    this.#listeners = undefined;
    this.#goOnUnless(this.#isEndedBy(error));
  }

  #goOnUnless(isOver: boolean): void {
    if (isOver) return;
    this.#at += 1;
    this.#go();
  }

  /** Takes a handler's answer; whether nobody is asked after it. */
  #isOverWith(given: unknown): boolean {
    const { kind } = this.#rules;
    let answer: unknown;
    try {
      answer = this.#checked(given);
    } catch (error) {
      return this.#isEndedBy(error);
    }
    const { count } = this.#tap;
    const milliseconds = this.#measure(count);
    if (this.#watch !== undefined && isNews(answer, this.#value))
      this.#watch(effectOf(count, { milliseconds, before: this.#value, after: answer }));
    if (kind === "waterfall") this.#value = answer;
    if (kind !== "bail" || answer === undefined) return false;
    this.#end();
    this.#resolve(answer);
    return true;
  }

  /**
   * The answer, if the hook has a meaning for it; what a handler without answers returns is nobody's
   * business.
   */
  #checked(answer: unknown): unknown {
    const { kind, fits } = this.#rules;
    if (kind === "series" || kind === "notice") return undefined;
    if (fits(answer as never) || (kind === "bail" && answer === undefined)) return answer;
    const type = answer === null ? "null" : typeof answer;
    throw new Error(`answered with ${type}, which the hook has no meaning for`);
  }

  /** What the handler took since the one before it: milliseconds. */
  #measure(count: Count): number {
    const ended = performance.now();
    const milliseconds = ended - this.from;
    count.milliseconds += milliseconds;
    this.from = ended;
    return milliseconds;
  }

  /** Whether the caller is to see that a handler failed; where nobody waits for answers the others go on. */
  #isEndedBy(error: unknown): boolean {
    const { count } = this.#tap;
    const milliseconds = this.#measure(count);
    this.#watch?.(effectOf(count, { milliseconds, before: this.#value, error }));
    try {
      this.#fail(count, error);
      return false;
    } catch (seen) {
      this.#end();
      this.#reject(seen);
      return true;
    }
  }

  /** Throws what the caller is to see. */
  #fail(count: Count, error: unknown): void {
    const { kind, failed, log } = this.#rules;
    const { plugin, name } = count;
    const answers = kind === "bail" || kind === "waterfall";
    if (answers && isRefusal(error)) throw error;
    const fault = new PluginError(plugin, name, messageOf(error), { cause: error });
    count.failures += 1;
    count.lastError = fault.message;
    if (answers) throw AppError.is(error) || ToolError.is(error) ? error : fault;
    if (kind === "series") failed(fault);
    else log.error({ plugin, hook: name, error: fault }, fault.message);
  }

  #end(): void {
    if (this.#listeners !== undefined) this.#rules.limit.remove(this);
  }
}
