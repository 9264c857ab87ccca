import { didYouMean, type Caller, type Clock } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Discovery } from "./discover.ts";
import { neededPlugins } from "./needed-plugins.ts";
import { changeLock, readLock } from "./plugin-lock.ts";
import { StrikeBook } from "./strike-book.ts";
import { supplyFact } from "./supply-audit.ts";

interface SwitchOptions {
  readonly discovery: Pick<Discovery, "all" | "refused">;
  /** Ids that the settings file switches off. */
  readonly disabled: readonly string[];
  readonly storage: string;
  /** Where the lock is. */
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** Who wants that. */
  readonly caller: Caller;
}

/**
 * Switches a plugin on or off, in the lock; in force with the next start. Switching on closes its breaker as
 * well. Throws AppError `not_found`, `in_use`, `set_elsewhere`.
 */
export function switchPlugin(id: string, enabled: boolean, options: SwitchOptions): void {
  const { discovery, dataDirectory, disabled, storage, clock, caller } = options;
  const known = new Set([...discovery.all, ...discovery.refused].map((found) => found.id));
  for (const added of Object.keys(readLock(dataDirectory))) known.add(added);
  if (!known.has(id)) throw fault("not_found", `There is no plugin "${id}".${didYouMean(id, known)}`);
  if (!enabled && neededPlugins(discovery, storage).has(id))
    throw fault(
      "in_use",
      `The host needs ${id}. To replace it, name it under disabled in the settings file.`,
    );
  if (disabled.includes(id))
    throw fault("set_elsewhere", `The settings file names ${id} under disabled; change it there.`);
  const change: Parameters<typeof changeLock>[1] = ({ [id]: entry = {} }) => {
    const { enabled: _, ...rest } = entry;
    if (!enabled) return { [id]: { ...rest, enabled } };
    return { [id]: rest.current === undefined ? undefined : rest };
  };
  changeLock(dataDirectory, change, supplyFact(enabled ? "enable" : "disable", id, caller));
  if (enabled) new StrikeBook(dataDirectory, clock).close(id);
}
