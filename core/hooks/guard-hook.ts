import type { AsyncHook } from "tapable";
import { AppError, messageOf, PluginError, ToolError, type Log } from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";

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
type Done = (error: Error | null, value?: unknown) => void;

const stages = { early: -10, usual: 0, late: 10 } as const;
const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === "function";

/** A handler that refuses what the caller sent works as it should. */
const isRefusal = (error: unknown): error is AppError =>
  AppError.is(error) && error.status >= 400 && error.status < 500;

interface HookParts {
  readonly hook: AsyncHook<unknown[], unknown>;
  readonly kind: HookKind;
  /** Whether an answer has the form that the callers rely on. */
  readonly fits: (answer: never) => boolean;
}

/**
 * A tapable hook that no handler can hang and whose errors name the plugin. What answers at once costs no
 * promise, what nobody taps nothing.
 */
export class GuardedHook {
  readonly counts: Count[] = [];
  readonly #parts: HookParts;
  readonly #gate: Gate;

  constructor(parts: HookParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
  }

  readonly call = (...args: readonly unknown[]): unknown => {
    const { hook, kind } = this.#parts;
    if (this.counts.length > 0) return hook.promise(...args);
    if (kind === "waterfall") return args[0];
    return undefined;
  };

  tap(plugin: string, handler: Handler, stage: Stage = "usual"): void {
    const { hook } = this.#parts;
    const name = String(hook.name);
    if (!this.#gate.open)
      throw new PluginError(plugin, name, "taps are accepted only while plugins register");
    const count = { name, plugin, calls: 0, milliseconds: 0, failures: 0 };
    this.counts.push(count);
    hook.tapAsync({ name: plugin, stage: stages[stage] }, (...args: unknown[]) =>
      this.#run(count, handler, args, args.pop() as Done),
    );
  }

  #run(count: Count, handler: Handler, args: readonly unknown[], done: Done): void {
    if (this.#gate.withdrawn.has(count.plugin)) return done(null);
    const began = performance.now();
    count.calls += 1;
    let answer: unknown;
    try {
      answer = handler(...args);
      if (isPromise(answer)) return this.#wait(count, began, answer, done);
      answer = this.#checked(answer);
    } catch (error) {
      return this.#fail(count, began, error, done);
    }
    count.milliseconds += performance.now() - began;
    done(null, answer);
  }

  #wait(count: Count, began: number, answer: PromiseLike<unknown>, done: Done): void {
    const { deadline } = this.#gate;
    const tooLong = (): Error => new Error(`took longer than ${deadline / 1000} s`);
    const pending = withDeadline(answer, deadline, tooLong).then((value) => this.#checked(value));
    const succeed = (value: unknown): void => {
      count.milliseconds += performance.now() - began;
      done(null, value);
    };
    void pending.then(succeed, (error: unknown) => this.#fail(count, began, error, done));
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

  #fail(count: Count, began: number, error: unknown, done: Done): void {
    const { kind } = this.#parts;
    const { plugin, name } = count;
    const answers = kind === "bail" || kind === "waterfall";
    count.milliseconds += performance.now() - began;
    if (answers && isRefusal(error)) return done(error);
    const fault = new PluginError(plugin, name, messageOf(error), { cause: error });
    count.failures += 1;
    count.lastError = fault.message;
    if (answers) return done(AppError.is(error) || ToolError.is(error) ? error : fault);
    if (kind === "series") this.#gate.failed(fault);
    else this.#gate.log.error({ plugin, hook: name, error: fault }, fault.message);
    done(null);
  }
}
