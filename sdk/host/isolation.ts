import type { Log } from "../contract/log.ts";
import type { Permissions } from "../contract/permissions.ts";
import type { Plugin } from "../contract/plugin.ts";
import type { CompleteManifest } from "./manifest.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Awaitable } from "../util/json.ts";

/** What the process of a plugin did wrong. The host counts: five within ten minutes open the breaker. */
export interface PluginStrike {
  /**
   * `crash`: it ended by itself. `deadline`: it did not answer, load or stop in time. `frame`: what it sent
   * is no message, too large, or answers nothing. `answer`: its answer breaks the contract. `limit`: memory,
   * open requests or another limit.
   */
  readonly kind: "crash" | "deadline" | "frame" | "answer" | "limit";
  /** `family.operation`, or what the host wanted of it, such as `load`; null while nothing was asked. */
  readonly call: string | null;
  /** What the process wrote last to stderr, 8 kB; the host keeps the last 2 kB, without secrets. */
  readonly stderr: string;
}

/** The tools of a plugin in a process of its own; their functions work over there. */
export interface IsolatedPlugin extends Pick<Plugin, "tools" | "collections"> {
  /** What a single file says it must reach, unchecked. */
  readonly permissions?: Permissions;
  /**
   * Resolves once its walls were tried; no process of it is started before. Rejects with PluginError where it
   * must not run.
   */
  readonly walled: Promise<void>;
  /** Ends the process, for good. */
  readonly stop: () => Awaitable<void>;
}

/** Runs a tool plugin in a process of its own and gives back its tools. */
export type Isolation = (
  found: CompleteManifest,
  options: {
    readonly log: Log;
    /** What its process runs in. */
    readonly sandbox: Sandbox;
    readonly dataDirectory: string;
    /** The preference in force, undefined where no plugin declares it. */
    readonly preference: (key: string) => unknown;
    /** Milliseconds in which it must be loaded. */
    readonly deadline: number;
    /** The entry is a single file that exports a tool, not a plugin. */
    readonly isToolFile?: boolean;
    /**
     * Told at each wrong of the process, once, whoever ended it. The host keeps the evidence and, when it was
     * too much, calls `stop` of the plugin that this returned; until then the process may be started again.
     */
    readonly strike: (strike: PluginStrike) => void;
    /**
     * To be awaited before each start of the process: rejects with PluginError when the plugin's files are
     * not those that were approved. Then nothing is started, and the call fails with that error.
     */
    readonly verify: () => Promise<void>;
  },
) => Awaitable<IsolatedPlugin>;
