import type { Clock, Conversation, Log, MemoryHit, Storage } from "@pergola/sdk";
import { openStores, type Parts } from "@pergola/sdk/host";
import { testClock } from "@pergola/sdk/testing";
import { Memory } from "../../plugins/service-memory/memory.ts";

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A model that knows a few meanings: each word of a group points the same way. */
export interface ToyModel {
  readonly id: string;
  readonly groups: readonly (readonly string[])[];
}

/** One direction for each group, and one for everything else. */
export function toyVector({ groups }: ToyModel, text: string): Float32Array {
  const words = text.toLowerCase().match(/\w+/g) ?? [];
  const counts = [...groups.map((group) => words.filter((word) => group.includes(word)).length), 0.1];
  const length = Math.hypot(...counts);
  return Float32Array.from(counts, (count) => count / length);
}

export interface MemoryScene {
  readonly memory: Memory;
  /** Texts that were given vectors, by the model. */
  readonly embedded: { readonly model: string; readonly text: string }[];
  /** Contents found, best first. */
  readonly find: (query: string, more?: object) => Promise<readonly string[]>;
}

export interface SceneOptions {
  readonly model?: () => ToyModel | undefined;
  /** What the model waits for. */
  readonly before?: () => Promise<void>;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly conversations?: readonly Conversation[];
}

/** The memory service on a storage of the test's own, as a host would start it there. */
export function memoryScene(
  storage: Storage,
  { model = () => undefined, before, clock = testClock(), log = silentLog }: SceneOptions = {},
): MemoryScene {
  const embedded: MemoryScene["embedded"] = [];
  const models = {
    embed: async (texts: readonly string[]) => {
      await before?.();
      const toy = model();
      if (toy === undefined) return undefined;
      embedded.push(...texts.map((text) => ({ model: toy.id, text })));
      return { model: toy.id, vectors: texts.map((text) => toyVector(toy, text)) };
    },
  };
  const timestamp = () => new Date(clock.now()).toISOString();
  const memory = new Memory({
    stores: openStores(storage),
    models,
    clock,
    log,
    timestamp,
  } as unknown as Parts);
  memory.recover();
  const find = async (query: string, more: object = {}) =>
    (await memory.search({ query, scopes: ["s1"], ...more })).map(({ item }: MemoryHit) => item.content);
  return { memory, embedded, find };
}
