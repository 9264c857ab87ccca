import type { Log, ModelCall, ModelEvent, ProviderSettings } from "@pergola/sdk";
import {
  collectEvents,
  providerDoor,
  providerSettings,
  temporaryFolder,
  textOfEvents,
} from "@pergola/sdk/testing";
import { LocalLlama, type LocalLlamaOptions } from "../local-llama.ts";
import { install, type TinyModel } from "./tiny-model.ts";

export const tiny = "tests/tiny/tiny-F32";
export const never = (): AbortSignal => new AbortController().signal;

export interface Bench {
  readonly provider: LocalLlama;
  readonly folder: string;
  readonly warnings: readonly string[];
  /** The processes that models were loaded in, the newest last. */
  readonly pids: readonly number[];
  /** Everything that the model answers. */
  ask(call?: Partial<ModelCall>, signal?: AbortSignal): ReturnType<typeof collectEvents>;
  close(): Promise<void>;
}

export interface BenchOptions extends LocalLlamaOptions {
  /** By name; default: one tiny model. */
  readonly models?: Readonly<Record<string, TinyModel>>;
  readonly preferences?: Readonly<Record<string, number>>;
  readonly settings?: Partial<ProviderSettings>;
}

export function openBench({
  models = { [tiny]: {} },
  preferences = {},
  settings = {},
  ...options
}: BenchOptions = {}): Bench {
  const folder = temporaryFolder("pergola-models-");
  for (const [name, model] of Object.entries(models)) install(folder, name, model);
  const [warnings, pids]: [string[], number[]] = [[], []];
  const ignore = (): void => undefined;
  const info = (fields: object): void => void pids.push(Number((fields as { readonly pid?: number }).pid));
  const warn = (_: object, message?: string): void => void warnings.push(message ?? "");
  const log = { debug: ignore, info, warn, error: ignore } as Log;
  const values: Readonly<Record<string, string | number>> = { "downloads.path": folder, ...preferences };
  const provider = new LocalLlama(
    providerSettings(settings),
    providerDoor({ log, preference: (key) => values[key] }),
    options,
  );
  return {
    provider,
    folder,
    warnings,
    pids,
    ask: (call = {}, signal = never()) => collectEvents(provider.stream(callOf(call), signal)),
    close: () => provider.close(),
  };
}

/** Greedy, unless the call says otherwise: the same call gets the same answer. */
export const callOf = ({ sampling = {}, ...call }: Partial<ModelCall> = {}): ModelCall => ({
  model: tiny,
  messages: [{ role: "user", content: "Hello" }],
  tools: [],
  ...call,
  sampling: { temperature: 0, seed: 1, maxTokens: 40, ...sampling },
});

export const textOf = (events: readonly ModelEvent[]): string => textOfEvents(events);
export const usageOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "usage" ? [event.usage] : []))[0];
export const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) =>
    event.type === "tool_call"
      ? [{ name: event.name, arguments: JSON.parse(event.arguments ?? "") as unknown }]
      : [],
  );

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves once the condition holds; rejects after so many milliseconds. */
export async function until(holds: () => boolean, milliseconds: number, what: string): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`${what} took more than ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
