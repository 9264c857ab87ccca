import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { messageOf, PluginError } from "@pergola/sdk";
import {
  describedLists,
  describePlugin,
  loadPlugin,
  type HostPlugin,
  type ProgramHost,
} from "@pergola/sdk/host";
import { bundledCode } from "../one-file/places.ts";
import { canWait } from "./can-wait.ts";
import type { FoundPlugin } from "./discover.ts";
import type { ManifestIndex } from "./manifest-index.ts";
import { placeOfDifference } from "./place-of-difference.ts";
import type { Lock } from "./plugin-lock.ts";
import { checkApproval, isPinned } from "./pin-plugins.ts";
import type { Supply } from "./supervisors.ts";

type Fields = Readonly<Record<string, unknown>>;
type Call = (...args: unknown[]) => unknown;
type Load = () => Promise<Fields>;

interface TrustedOptions {
  readonly supply: Pick<Supply, "lock" | "unpinned">;
  readonly index?: ManifestIndex | undefined;
  /** Told where code that could wait cannot be loaded when it is needed. */
  readonly failed: (fault: PluginError) => void;
}

/** The file in which the build describes a plugin whose code can wait until it is called. */
const descriptionFile = (entry: string): string => path.join(path.dirname(entry), "described.json");

/** In the place of a description: that of one which brought something else with the same files. */
const varies = "";

/** What is said, and what to do, where code and description differ. */
const faultOfOwn = [
  "its code brings something else than it says",
  "It may be a half-finished update: install or build it again.",
] as const;
const faultOfOther = [
  "its code brings something else than at an earlier start",
  "Start the service again: from then on its code is loaded at each start. " +
    "Its author can mend it: what a plugin brings may depend on its files alone.",
] as const;

/** Imports the code of a plugin. Rejects when what it exports is not a plugin. */
export const loadFound = (found: FoundPlugin): Promise<HostPlugin> =>
  loadPlugin(found.entry, found.source === "own" ? bundledCode(found) : undefined);

/**
 * The plugins that run in this process. The code of one whose description is known waits until one of its
 * functions is called: the build describes our own, an earlier start those of others, by the digest of their
 * approved files. That is compared at each start, and once more before the code is loaded.
 */
export class TrustedPlugins {
  readonly #options: TrustedOptions;

  constructor(options: TrustedOptions) {
    this.#options = options;
  }

  /**
   * Opens a plugin, which is loaded at once where nothing describes it. Where that fails later, `failed` is
   * told, and each call rejects with the same fault.
   */
  async open(found: FoundPlugin): Promise<HostPlugin> {
    const text = this.#descriptionOf(found);
    if (text === undefined) return loadFound(found);
    let code: Promise<HostPlugin> | undefined;
    let host: ProgramHost | undefined;
    const load = async (): Promise<HostPlugin> => {
      const plugin = await this.#importAs(text, found);
      // It has no hook to tap, but may note its host.
      if (host !== undefined) await plugin.register?.(host);
      return plugin;
    };
    const fail = (cause: unknown): never => {
      const isFault = PluginError.is(cause);
      const fault = isFault ? cause : new PluginError(found.id, "import", messageOf(cause), { cause });
      this.#options.failed(fault);
      throw fault;
    };
    const loaded = (): Promise<HostPlugin> => (code ??= load().catch(fail));
    const description = { ...(JSON.parse(text) as Fields), functions: [] };
    return {
      ...(revive(description, loaded as unknown as Load) as HostPlugin),
      register: (own) => void (host = own),
      stop: async (own) => (await code?.catch(() => undefined))?.stop?.(own),
    };
  }

  /** Notes what a plugin of others brings that has registered, if its code can wait at the next start. */
  learn(found: FoundPlugin, plugin: HostPlugin): void {
    const { index } = this.#options;
    const digest = this.#digestOf(found);
    if (digest === undefined || index?.descriptionIn(found.folder, digest) !== undefined) return;
    const text = textOf(plugin, found);
    if (text !== undefined) index?.describe(found.folder, [digest, text]);
  }

  #descriptionOf(found: FoundPlugin): string | undefined {
    const file = descriptionFile(found.entry);
    if (found.source === "own") return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    return descriptionIn(this.#options.index, found, this.#digestOf(found));
  }

  /** Of the files that were approved; undefined where nobody compares them. */
  #digestOf(found: FoundPlugin): string | undefined {
    const { lock, unpinned } = this.#options.supply;
    return isPinned(found, unpinned) ? (lock[found.id]?.current?.files ?? undefined) : undefined;
  }

  /** Imports a plugin that must bring what its description says. Rejects with its fault, or what it threw. */
  async #importAs(description: string, found: FoundPlugin): Promise<HostPlugin> {
    const { supply, index } = this.#options;
    const digest = this.#digestOf(found);
    if (digest !== undefined) await checkApproval(found, supply.lock[found.id]?.current);
    const plugin = await loadFound(found);
    const brought = JSON.stringify(describePlugin(plugin));
    if (brought === description) return plugin;
    const [message, remedy] = digest === undefined ? faultOfOwn : faultOfOther;
    if (digest !== undefined) index?.describe(found.folder, [digest, varies]);
    index?.keep();
    const place = placeOfDifference(JSON.parse(description), JSON.parse(brought));
    throw new PluginError(found.id, "import", `${message}${place ? ` (${place})` : ""}`, { remedy });
  }
}

/** What is known of a plugin of others by the digest of its files. */
function descriptionIn(
  index: ManifestIndex | undefined,
  { folder }: FoundPlugin,
  digest: string | null | undefined,
): string | undefined {
  const text = digest ? index?.descriptionIn(folder, digest) : undefined;
  return text === varies ? undefined : text;
}

/** Whether the code of a plugin of others is loaded only when it is called, and its files compared before. */
export const isDescribed = (found: FoundPlugin, lock: Lock, index: ManifestIndex | undefined): boolean =>
  descriptionIn(index, found, lock[found.id]?.current?.files) !== undefined;

/** The description of a plugin whose code can wait, as JSON; undefined where JSON cannot carry it. */
function textOf(plugin: HostPlugin, { provides }: FoundPlugin): string | undefined {
  try {
    if (!canWait(plugin, provides)) return undefined;
    const description = describePlugin(plugin);
    const text = JSON.stringify(description);
    return isDeepStrictEqual(JSON.parse(text), description) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A described thing whose functions, and those of the things in it, call what is loaded. */
function revive({ functions, ...data }: Fields, load: Load): Fields {
  const names = functions as readonly string[];
  const calls = names.map((name) => [
    name,
    async (...args: unknown[]) => {
      const owner = await load();
      return (owner[name] as Call).apply(owner, args);
    },
  ]);
  const fields = Object.entries(data).map(([name, value]) => [name, reviveField(name, value, load)]);
  return Object.fromEntries([...fields, ...calls]) as Fields;
}

function reviveField(name: string, value: unknown, load: Load): unknown {
  if (!describedLists.includes(name)) return value;
  return (value as readonly Fields[]).map((item, index) =>
    revive(item, async () => ((await load())[name] as readonly Fields[])[index]!),
  );
}
