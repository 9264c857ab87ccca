import type { Log } from "@pergola/sdk";
import {
  withFields,
  type IsolatedPlugin,
  type Isolation,
  type PartFactories,
  type Sandbox,
  type SandboxHost,
} from "@pergola/sdk/host";
import type { FoundPlugin } from "./discover.ts";
import { loadFound } from "./trusted-plugins.ts";

type EarlyPart = "isolation" | "sandbox";

interface EarlyOptions extends SandboxHost {
  readonly plugins: readonly FoundPlugin[];
  readonly log: Log;
  /** Milliseconds in which an isolated plugin must be loaded. */
  readonly deadline: number;
  /** The fault of the plugin that should have brought a part. */
  readonly missing: (name: EarlyPart) => Error;
}

/** What is told of the process of a plugin, and asked before each start of it. */
export type Watch = Pick<Parameters<Isolation>[1], "strike" | "verify">;

/** The parts that are needed while plugins are still being loaded. */
export class EarlyParts {
  readonly #options: EarlyOptions;
  #sandbox: Promise<Sandbox> | undefined;

  constructor(options: EarlyOptions) {
    this.#options = options;
  }

  /** What plugins of others and programs run in; made when it is first needed. */
  sandbox(): Promise<Sandbox> {
    this.#sandbox ??= this.#factory("sandbox").then((make) => make(this.#options));
    return this.#sandbox;
  }

  /** Begins to find out whether there are walls for plugins; who needs them asks again. */
  async tryWalls(): Promise<void> {
    const sandbox = await this.sandbox().catch(() => undefined);
    await sandbox?.state("plugin");
  }

  /** Runs a plugin in a process of its own; one that nobody has agreed to yet only within walls. */
  async isolate(found: FoundPlugin, watch: Watch, isAgreed = true): Promise<IsolatedPlugin> {
    const { log, deadline, dataDirectory } = this.#options;
    const preference = (key: string): unknown =>
      key === "plugins.require_sandbox" && !isAgreed ? true : this.#options.preference(key);
    const isolate = await this.#factory("isolation");
    return isolate(found, {
      log: withFields(log, { plugin: found.id }),
      sandbox: await this.sandbox(),
      dataDirectory,
      preference,
      deadline,
      isToolFile: found.file !== undefined,
      ...watch,
    });
  }

  /** How a part is made. Rejects with the fault of the plugin that should have brought it. */
  async #factory<K extends EarlyPart>(name: K): Promise<NonNullable<PartFactories[K]>> {
    const { plugins, missing } = this.#options;
    const bringer = plugins.find(({ provides }) => provides.parts?.includes(name));
    const { parts } = bringer === undefined ? {} : await loadFound(bringer);
    const make = parts?.[name];
    if (make === undefined) throw missing(name);
    return make;
  }
}
