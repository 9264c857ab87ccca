import { setTimeout as sleep } from "node:timers/promises";
import {
  AsyncParallelHook,
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  type AsyncHook,
} from "tapable";
import { didYouMean, PluginError, type HookName, type Hooks, type Log } from "@pergola/sdk";
import type { WatchedHooks } from "@pergola/sdk/host";
import { GuardedHook, type Gate, type Stage } from "./guard-hook.ts";
import type { HookKind } from "./walk.ts";

type Fields = Readonly<Record<string, unknown>> | null | undefined;
type Spec = readonly [kind: HookKind, args: readonly string[], fits?: (answer: never) => boolean];

type HookClass = new (args: readonly string[], name: string) => AsyncHook<unknown[], unknown>;

const classes = {
  series: AsyncSeriesHook,
  bail: AsyncSeriesBailHook,
  waterfall: AsyncSeriesWaterfallHook,
  notice: AsyncParallelHook,
};

/**
 * Every hook: its kind, its arguments, and the form of its answers. The first word of a name fixes the kind.
 */
export const hookTable: Readonly<Record<HookName, Spec>> = {
  collectTools: ["series", ["registry"]],
  authenticate: [
    "bail",
    ["request"],
    (caller: Fields) =>
      typeof caller?.["id"] === "string" &&
      typeof caller["remote"] === "boolean" &&
      Array.isArray(caller["scopes"]),
  ],
  resolveModel: ["bail", ["model"], (model: unknown) => typeof model === "string"],
  authorizeToolCall: [
    "bail",
    ["call", "context"],
    (verdict: Fields) => /^(allow|ask|deny)$/.test(String(verdict?.["decision"])),
  ],
  shapeChat: [
    "waterfall",
    ["chat", "context"],
    (chat: Fields) => Array.isArray(chat?.["system"]) && Array.isArray(chat["tools"]),
  ],
  shapeModelCall: [
    "waterfall",
    ["call", "context"],
    (call: Fields) => typeof call?.["model"] === "string" && Array.isArray(call["messages"]),
  ],
  shapeToolResult: [
    "waterfall",
    ["result", "call", "context"],
    (result: Fields) => typeof result?.["success"] === "boolean",
  ],
  toolCallEnded: ["notice", ["summary"]],
  modelCallEnded: ["notice", ["summary"]],
  runEnded: ["notice", ["run"]],
  approvalRequested: ["notice", ["approval"]],
  conversationEnded: ["notice", ["conversationId"]],
};

export type HookBus = ReturnType<typeof createHooks>;

/** All hooks, made once. `hooks` is for those who call them; `tap` is for plugins, until `close`. */
export function createHooks(options: {
  readonly log: Log;
  readonly failed: Gate["failed"];
  readonly deadline?: number;
}) {
  const gate: Gate = { open: true, withdrawn: new Set(), deadline: 30_000, ...options };
  const guarded = new Map<string, GuardedHook>();
  for (const [name, [kind, args, fits = () => true]] of Object.entries(hookTable)) {
    const hook = new (classes[kind] as HookClass)([...args, "watch"], name);
    guarded.set(name, new GuardedHook({ hook, kind, arity: args.length, fits }, gate));
  }
  const calls = Object.fromEntries([...guarded].map(([name, { call }]) => [name, call]));
  return {
    hooks: Object.freeze(calls) as unknown as WatchedHooks,
    /** Throws PluginError for a name that no hook has, and once the gate is closed. */
    tap: <N extends HookName>(plugin: string, name: N, handler: Hooks[N], stage?: Stage): void => {
      const hook = guarded.get(name);
      if (hook === undefined) {
        const hint = didYouMean(name, guarded.keys());
        throw new PluginError(plugin, "register", `there is no hook "${name}".${hint}`);
      }
      hook.tap(plugin, handler as (...args: readonly unknown[]) => unknown, stage);
    },
    /** Its handlers are passed over from now on. */
    withdraw: (plugin: string): void => void gate.withdrawn.add(plugin),
    close: (): void => void (gate.open = false),
    /** Resolves when no handler is at work, or after so many milliseconds. */
    settled: async (milliseconds: number): Promise<void> => {
      const until = performance.now() + milliseconds;
      const isWorking = (): boolean => [...guarded.values()].some((hook) => hook.isWorking);
      while (isWorking() && performance.now() < until) await sleep(10);
    },
    countsOf: (plugin: string) => [...guarded.values()].flatMap((hook) => hook.countsOf(plugin)),
  };
}
