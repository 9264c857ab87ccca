import type { AsyncHook } from "tapable";
import { PluginError, type Log } from "@pergola/sdk";
import { TimeLimit } from "./time-limit.ts";
import { Walk, type Count, type Tap, type WalkRules } from "./walk.ts";

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

const stages = { early: -10, usual: 0, late: 10 } as const;

interface HookParts extends Pick<WalkRules, "kind" | "arity" | "fits"> {
  readonly hook: AsyncHook<unknown[], unknown>;
}

/**
 * A tapable hook that no handler can hang and whose errors name the plugin. The handlers of a stage share one
 * tap, because the code that tapable writes for a series grows faster than its taps. What answers at once
 * costs no promise, what nobody taps nothing.
 */
export class GuardedHook {
  readonly #parts: HookParts;
  readonly #gate: Gate;
  readonly #rules: WalkRules;
  readonly #stages = new Map<Stage, Tap[]>();

  constructor(parts: HookParts, gate: Gate) {
    this.#parts = parts;
    this.#gate = gate;
    const { kind, arity, fits } = parts;
    const { withdrawn, log, failed } = gate;
    this.#rules = { kind, arity, fits, withdrawn, log, failed, limit: new TimeLimit(gate.deadline) };
  }

  /** Whether a handler is at work. */
  get isWorking(): boolean {
    return this.#rules.limit.isWaiting;
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

  tap(plugin: string, handler: Tap["handler"], stage: Stage = "usual"): void {
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

  #inTurn(taps: readonly Tap[], args: readonly unknown[]): Promise<unknown> {
    return new Walk(this.#rules, taps, args).run();
  }
}
