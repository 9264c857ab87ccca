import type { AsyncHook } from "tapable";
import { AppError, messageOf, PluginError, ToolError, type Log } from "@pergola/sdk";
import type { TapEffect, TapWatch } from "@pergola/sdk/host";
import { TimeLimit } from "./time-limit.ts";

/**
 * How handlers combine: all in turn; the first answer; one value passed on and on; all at once, whose
 * failures are nobody's.
 */
export type HookKind = "series" | "bail" | "waterfall" | "notice";
export type Stage = keyof typeof stages;

export interface Gate {
  /** Taps are accepted. */
  open: boolean;
  /** Plugins that were left out after they had tapped. */
  readonly withdrawn: Set<string>;
  readonly log: Log;
  /** Milliseconds that a handler may take. */
  readonly deadline: number;
  /** A plugin failed in a series: it is at fault, the others go on. */
  readonly failed: (fault: PluginError) => void;
}

export interface Count {
  readonly name: string;
  readonly plugin: string;
  calls: number;
  milliseconds: number;
  failures: number;
  lastError?: string;
}

type Handler = (...args: readonly unknown[]) => unknown;

interface Tap {
  readonly count: Count;
  readonly handler: Handler;
}

const stages = { early: -10, usual: 0, late: 10 } as const;
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

interface HookParts {
  readonly hook: AsyncHook<unknown[], unknown>;
  readonly kind: HookKind;
  /** How many arguments handlers get; who calls the hook may give a `TapWatch` behind them. */
  readonly arity: number;
  /** Whether an answer has the form that the callers rely on. */
  readonly fits: (answer: never) => boolean;
}

/**
 * A tapable hook that no handler can hang and whose errors name the plugin. The handlers of a stage share one
 * tap, because the code that tapable writes for a series grows faster than its taps. What answers at once
 * costs no promise, what nobody taps nothing.
 */
export class GuardedHook {
  readonly #parts: HookParts;
  readonly #gate: Gate;
  readonly #limit: TimeLimit;
  readonly #stages = new Map<Stage, Tap[]>();

  constructor(parts: HookParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
    this.#limit = new TimeLimit(gate.deadline);
  }

  /** What is counted of a plugin's handlers. */
  countsOf(plugin: string): readonly Count[] {
    return [...this.#stages.values()].flatMap((taps) =>
      taps.filter(({ count }) => count.plugin === plugin).map(({ count }) => count),
    );
  }

  readonly call = (...args: readonly unknown[]): unknown => {
    const { hook, kind } = this.#parts;
    if (this.#stages.size > 0) return hook.promise(...args);
    if (kind === "waterfall") return args[0];
    return undefined;
  };

  tap(plugin: string, handler: Handler, stage: Stage = "usual"): void {
    const name = String(this.#parts.hook.name);
    if (!this.#gate.open)
      throw new PluginError(plugin, name, "taps are accepted only while plugins register");
    const count = { name, plugin, calls: 0, milliseconds: 0, failures: 0 };
    this.#tapsOf(stage).push({ count, handler });
  }

  #tapsOf(stage: Stage): Tap[] {
    const found = this.#stages.get(stage);
    if (found !== undefined) return found;
    const taps: Tap[] = [];
    const { hook, kind } = this.#parts;
    const run = (...args: unknown[]): Promise<unknown> =>
      kind === "notice" ? this.#allAtOnce(taps, args) : this.#inTurn(taps, args);
    hook.tapPromise({ name: stage, stage: stages[stage] }, run);
    this.#stages.set(stage, taps);
    return taps;
  }

  async #allAtOnce(taps: readonly Tap[], args: readonly unknown[]): Promise<void> {
    await Promise.all(taps.map((tap) => this.#inTurn([tap], args)));
  }

  async #inTurn(taps: readonly Tap[], args: readonly unknown[]): Promise<unknown> {
    const { kind, arity } = this.#parts;
    const others = args.slice(1, arity);
    const watch = args[arity] as TapWatch | undefined;
    let [value, began] = [args[0], performance.now()];
    for (const { count, handler } of taps) {
      if (this.#gate.withdrawn.has(count.plugin)) continue;
      count.calls += 1;
      let answer: unknown;
      let milliseconds: number;
      try {
        answer = handler(value, ...others);
        if (isPromise(answer)) answer = await this.#limit.within(answer, began);
        answer = this.#checked(answer);
      } catch (error) {
        watch?.(effectOf(count, { milliseconds: performance.now() - began, before: value, error }));
        this.#fail(count, error);
      } finally {
        const ended = performance.now();
        milliseconds = ended - began;
        count.milliseconds += milliseconds;
        began = ended;
      }
      if (watch !== undefined && isNews(answer, value))
        watch(effectOf(count, { milliseconds, before: value, after: answer }));
      if (kind === "bail" && answer !== undefined) return answer;
      if (kind === "waterfall") value = answer;
    }
    return kind === "waterfall" ? value : undefined;
  }

  /**
   * The answer, if the hook has a meaning for it; what a handler without answers returns is nobody's
   * business.
   */
  #checked(answer: unknown): unknown {
    const { kind, fits } = this.#parts;
    if (kind === "series" || kind === "notice") return undefined;
    if (fits(answer as never) || (kind === "bail" && answer === undefined)) return answer;
    const type = answer === null ? "null" : typeof answer;
    throw new Error(`answered with ${type}, which the hook has no meaning for`);
  }

  /** Throws what the caller is to see; only where nobody waits for an answer the others go on. */
  #fail(count: Count, error: unknown): void {
    const { kind } = this.#parts;
    const { plugin, name } = count;
    const answers = kind === "bail" || kind === "waterfall";
    if (answers && isRefusal(error)) throw error;
    const fault = new PluginError(plugin, name, messageOf(error), { cause: error });
    count.failures += 1;
    count.lastError = fault.message;
    if (answers) throw AppError.is(error) || ToolError.is(error) ? error : fault;
    if (kind === "series") this.#gate.failed(fault);
    else this.#gate.log.error({ plugin, hook: name, error: fault }, fault.message);
  }
}
