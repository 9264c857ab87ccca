import type { HookName, Hooks } from "../contract/hooks.ts";

/** What a handler of a hook has done: changed what was passed on, decided, or failed. */
export interface TapEffect {
  readonly plugin: string;
  readonly hook: string;
  readonly milliseconds: number;
  /** What it was given, and what it answered; `after` is absent where it failed. */
  readonly before: unknown;
  readonly after?: unknown;
  readonly error?: unknown;
}

/** Hears of the handlers that change, decide or fail, and of no others. Never throws. */
export type TapWatch = (effect: TapEffect) => void;

/** The hooks, for those who call them and may want to know who did what. */
export type WatchedHooks = {
  readonly [N in HookName]: (...args: [...Parameters<Hooks[N]>, watch?: TapWatch]) => ReturnType<Hooks[N]>;
};
