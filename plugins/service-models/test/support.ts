import type {
  Json,
  JsonObject,
  ModelCall,
  ModelEntry,
  ModelEvent,
  ModelInfo,
  OfferedTool,
  Provider,
} from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import {
  collectEvents,
  scriptedProvider,
  textOfEvents,
  type Script,
  type ScriptStep,
} from "@pergola/sdk/testing";
import { Models } from "../models.ts";
import { openProviders } from "../open-providers.ts";

export const tool: OfferedTool = {
  name: "todo_operations",
  description: "Keep a list.",
  parameters: { type: "object", properties: { operation: { type: "string" } }, required: ["operation"] },
};

const ignore = (): void => undefined;
const never = (): AbortSignal => new AbortController().signal;

export interface Source {
  readonly script?: Script;
  readonly models?: readonly ModelInfo[];
  readonly provider?: Partial<Provider>;
  readonly record?: JsonObject;
}

export interface Heard {
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly warnings: readonly string[];
  readonly answered: ModelEntry | undefined;
}

/**
 * A model service over scripted providers, one kind for each name, and the waits it would have made, in
 * seconds.
 */
export function modelsOver(
  sources: Readonly<Record<string, Source>>,
  preferences: Readonly<Record<string, Json>> = {},
  now: () => number = Date.now,
) {
  const waits: number[] = [];
  const kinds = Object.entries(sources).map(
    ([type, { script = [], models = [{ id: "m", supportsTools: true }], provider }]) => {
      const scripted = scriptedProvider(script, { type, models });
      const open: typeof scripted.open = async (settings, door) => ({
        ...(await scripted.open(settings, door)),
        listModels: async () => models,
        ...provider,
      });
      return { scripted, definition: { ...scripted, open, isLocal: false } };
    },
  );
  const values: Readonly<Record<string, Json>> = {
    "providers.list": Object.entries(sources).map(([type, { record = {} }]) => ({ type, ...record })),
    "providers.from_environment": false,
    "providers.fallback_chains": {},
    "providers.list_cache_seconds": 300,
    "providers.max_wait_seconds": 120,
    "providers.max_answer_bytes": 16_777_216,
    "models.overrides": {},
    "models.prices": {},
    ...preferences,
  };
  const parts = {
    preferences: { get: (key: string) => values[key], list: () => [] },
    hooks: { resolveModel: async () => undefined },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    clock: { now },
    environment: {},
    registered: { providers: kinds.map(({ definition }) => definition) },
    doors: { providerFetch: () => undefined },
    stores: { storage: { collection: () => ({ find: async () => [], put: async () => undefined }) } },
    learnSecrets: ignore,
    redact: (text: string) => text,
    random: () => 0.5,
  } as unknown as Parts;
  const models = new Models(parts, openProviders(parts), async (milliseconds, signal) => {
    signal.throwIfAborted();
    waits.push(milliseconds / 1000);
  });
  const asked = Object.fromEntries(kinds.map(({ scripted }) => [scripted.type, scripted.calls]));

  async function hear(model: string, call: Partial<ModelCall> = {}, signal = never()): Promise<Heard> {
    const warnings: string[] = [];
    let answered: ModelEntry | undefined;
    const told = {
      onModel: (by: ModelEntry) => void (answered = by),
      warning: (text: string) => void warnings.push(text),
    };
    const own = { messages: [{ role: "user", content: "Hello" } as const], tools: [], sampling: {}, ...call };
    const { events, error } = await collectEvents(models.stream(model, own, signal, told));
    const calls = events
      .filter((event) => event.type === "tool_call")
      .map(({ name = "", arguments: args = "" }) => ({ name, arguments: args }));
    return {
      events,
      error,
      text: textOfEvents(events),
      reasoning: textOfEvents(events, "reasoning"),
      calls,
      warnings,
      answered,
    };
  }
  return { models, hear, waits, asked };
}

export const failing = (status: number, retryAfter?: number): ScriptStep => ({
  error: { status, message: `no ${status}`, ...(retryAfter === undefined ? {} : { retryAfter }) },
});
