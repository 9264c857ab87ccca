import { messageOf, PluginError, type Clock, type Log, type Plugin, type PluginStatus } from "@pergola/sdk";
import type { Discovery, FoundPlugin } from "./discover.ts";
import type { EarlyParts } from "./early-parts.ts";
import { isPinned, type Unpinned } from "./pin-plugins.ts";
import { effectsOfTools, type ToolEffects } from "./plugin-grants.ts";
import { readLock, type Lock } from "./plugin-lock.ts";
import { statusOf, type Standing } from "./plugin-status.ts";
import { neededPlugins } from "./needed-plugins.ts";
import { StrikeBook } from "./strike-book.ts";
import { SupervisedPlugin } from "./supervised-plugin.ts";
import { noteFact } from "./supply-audit.ts";

/** Where plugins come from, and how far they are believed. */
export interface Supply {
  /** Where added plugins, their lock and their strikes are. */
  readonly dataDirectory: string;
  readonly lock: Lock;
  /** Why the lock could not be read. */
  readonly lockFault?: string;
  readonly unpinned: Unpinned;
  /** Only to look: nothing is written down. */
  readonly inspecting: boolean;
  /** The type of the storage in use. */
  readonly storage: string;
}

interface SupervisorsOptions extends Supply {
  readonly discovery: Discovery;
  readonly log: Log;
  readonly clock: Clock;
  readonly early: EarlyParts;
  readonly changed: (id: string, fault: PluginError | undefined) => void;
  /** The text without secrets. */
  readonly redact: (text: string) => string;
}

type Found = Parameters<typeof statusOf>[0];

/** All plugins of others, as they run and as they were approved. */
export class Supervisors {
  readonly #options: SupervisorsOptions;
  readonly #book: StrikeBook;
  readonly #supervised = new Map<string, SupervisedPlugin>();
  readonly #effects = new Map<string, ToolEffects>();
  readonly #walled = new Map<FoundPlugin, Promise<void>>();
  #wall: string | null = null;
  readonly #needed: ReadonlySet<string>;

  constructor(options: SupervisorsOptions) {
    this.#options = options;
    this.#book = new StrikeBook(options.dataDirectory, options.clock);
    this.#needed = neededPlugins(options.discovery, options.storage);
  }

  /** Opens a plugin in a process of its own. Rejects with what keeps it from running. */
  async open(found: FoundPlugin): Promise<Plugin> {
    const { lock, unpinned, changed } = this.#options;
    const supervised = new SupervisedPlugin(found, {
      ...this.#options,
      book: this.#book,
      locked: isPinned(found, unpinned) ? lock[found.id]?.current : undefined,
      isAgreed: typeof unpinned === "string" || !unpinned.includes(found.id),
      changed: (fault) => changed(found.id, fault),
    });
    this.#supervised.set(found.id, supervised);
    const { walled, ...plugin } = await supervised.open();
    this.#walled.set(found, walled);
    return plugin;
  }

  /** Those that were opened. */
  get opened(): readonly FoundPlugin[] {
    return [...this.#walled.keys()];
  }

  /** Waits until the walls of one were tried. Rejects with what keeps it from running. */
  async walled(found: FoundPlugin): Promise<void> {
    const { early, inspecting } = this.#options;
    await this.#walled.get(found);
    const sandbox = await early.sandbox();
    const state = await sandbox.state("plugin");
    this.#wall = state.works ? [state.by, ...state.fences].join(", ") : null;
    if (this.#wall === null && !inspecting) this.#noteBare(found);
  }

  #noteBare({ id, version }: FoundPlugin): void {
    const outcome = "plugins.require_sandbox is false";
    noteFact(this.#options, { action: "plugin.unsandboxed", target: `${id} ${version}`, outcome });
  }

  /** A plugin as it runs; what a single file asks for is known only once it was opened. */
  current(found: FoundPlugin): FoundPlugin {
    return this.#supervised.get(found.id)?.found ?? found;
  }

  /** Tries a plugin again, once its breaker was closed; what keeps it from running is its fault then. */
  async retry(id: string): Promise<void> {
    try {
      await this.#supervised.get(id)?.retry();
    } catch (cause) {
      const fault = PluginError.is(cause) ? cause : new PluginError(id, "start", messageOf(cause), { cause });
      this.#options.changed(id, fault);
    }
  }

  /** Its tools, as they are now known. */
  learn(id: string, { tools = [] }: Pick<Plugin, "tools">): void {
    this.#effects.set(id, effectsOfTools(tools));
  }

  /** The lock as the next start will find it; the one of this start where it cannot be read any more. */
  #nextLock(): Lock {
    const { dataDirectory, lock } = this.#options;
    try {
      return readLock(dataDirectory);
    } catch {
      return lock;
    }
  }

  /** How to tell the state of a plugin: what is written of all of them is read once. */
  statuses(): (found: Found, standing: Pick<Standing, "fault" | "hooks">) => PluginStatus {
    const pageOf = this.#book.read();
    let next: Lock | undefined;
    const isOff = (lock: Lock, id: string): boolean => lock[id]?.enabled === false;
    return (found, standing) => {
      const { id } = found;
      return statusOf(this.#supervised.get(id)?.found ?? found, {
        ...standing,
        locked: this.#options.lock[id]?.current,
        page: pageOf(id),
        effects: this.#effects.get(id),
        canDisable: !this.#needed.has(id),
        canRetry: this.#supervised.get(id)?.canRetry ?? false,
        restartRequired: isOff((next ??= this.#nextLock()), id) !== isOff(this.#options.lock, id),
        wall: found.tier === "isolated" ? this.#wall : null,
      });
    };
  }
}
