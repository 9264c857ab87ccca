import type { JsonObject } from "../util/json.ts";
import type { Properties } from "../util/schema.ts";

/** A plugin that was found, and its state. */
export interface PluginStatus {
  readonly id: string;
  readonly kind: string;
  /** The one that runs; after a roll-back another one than at the start. */
  readonly version: string;
  /** What its package says of it. */
  readonly description: string;
  /** It comes with Pergola. */
  readonly official: boolean;
  readonly folder: string;
  readonly tier: "trusted" | "isolated";
  /** What walls it in, by name; null = nothing does. */
  readonly sandbox: string | null;
  readonly state: "running" | "left out" | "disabled";
  /** Names step and remedy. */
  readonly fault: string | null;
  /** The same in two. */
  readonly problem: { readonly message: string; readonly remedy: string } | null;
  readonly provides: JsonObject;
  /** What it may reach. */
  readonly permissions: JsonObject;
  /** The schemas of its preferences, by key. */
  readonly settings: Properties;
  /** The possible effects of each operation, by family, as its tools say; null while it is not loaded. */
  readonly effects: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | null;
  /** The digest of its files that was approved; null = none was. */
  readonly digest: string | null;
  /**
   * How its files are held: as approved, not pinned because its author links them or they are the person's
   * own.
   */
  readonly pinned: "official" | "pinned" | "linked" | "own" | "no";
  /** What its process did wrong, the newest last. */
  readonly strikes: readonly {
    readonly time: string;
    readonly version: string;
    readonly call: string | null;
    readonly kind: string;
    readonly stderr: string;
  }[];
  /** The version that was taken back by itself. */
  readonly rolledBack: { readonly from: string; readonly to: string; readonly time: string } | null;
  /** false: the host does not work without it. */
  readonly canDisable: boolean;
  /** Its breaker is open, and switching it on tries it again at once; what else is left out needs a start. */
  readonly canRetry: boolean;
  /** It was switched on or off, and is so from the next start. */
  readonly restartRequired: boolean;
  readonly hooks: readonly {
    readonly name: string;
    readonly calls: number;
    readonly milliseconds: number;
    readonly failures: number;
    readonly lastError?: string;
  }[];
}
