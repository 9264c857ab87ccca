import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { messageOf, PluginError } from "@pergola/sdk";
import type { Discovery, FoundPlugin } from "./discover.ts";
import { pluginDigest } from "./plugin-digest.ts";
import { differences } from "./plugin-grants.ts";
import type { LockedVersion } from "./plugin-lock.ts";
import type { Supply } from "./supervisors.ts";

/** The plugins that are taken as they are, without the lock: those with these ids, the candidates, or all. */
export type Unpinned = "all" | "candidates" | readonly string[];

/** Whether a plugin needs an approval; files are the person's own, or trusted with their folder. */
export function isPinned(
  { id, source, isCandidate = false }: Pick<FoundPlugin, "id" | "source" | "isCandidate">,
  unpinned: Unpinned,
): boolean {
  if (source === "own" || source === "file" || unpinned === "all") return false;
  return unpinned === "candidates" ? !isCandidate : !unpinned.includes(id);
}

interface Pinned extends Discovery {
  /** Those whose files are still to be compared: none of their code is loaded before that. */
  readonly waiting: readonly FoundPlugin[];
}

/**
 * Leaves out the plugins of others that nobody has approved, or whose files are not those that were approved:
 * what such a plugin does is not known, and no one was asked. `canWait` tells whose files need not be
 * compared yet.
 */
export async function pinPlugins(
  discovery: Discovery,
  { lock, lockFault, unpinned }: Pick<Supply, "lock" | "lockFault" | "unpinned">,
  canWait: (plugin: FoundPlugin) => boolean = () => false,
): Promise<Pinned> {
  const pinned = discovery.plugins.filter((plugin) => isPinned(plugin, unpinned));
  const faults: PluginError[] = [];
  const broken = (id: string, message: string): PluginError =>
    new PluginError(id, "approve", message, { remedy: "Until then no plugin of somebody else runs." });
  if (lockFault !== undefined)
    return {
      ...discovery,
      faults: [
        ...discovery.faults,
        ...pinned.map(({ id }) => broken(id, lockFault)),
        broken("plugin-lock", lockFault),
      ],
      waiting: [],
    };
  const waiting: FoundPlugin[] = [];
  for (const plugin of pinned) {
    const locked = lock[plugin.id]?.current;
    try {
      if (!canWait(plugin)) await checkApproval(plugin, locked);
      else if (checkGrants(plugin, locked) !== null) waiting.push(plugin);
    } catch (error) {
      if (!PluginError.is(error)) throw error;
      faults.push(error);
    }
  }
  return { ...discovery, faults: [...discovery.faults, ...faults], waiting };
}

/**
 * Compares the files of plugins, whose faults `failed` is told, while others have their turn. One that was
 * removed meanwhile has none: its code is loaded after a comparison of its own, or not at all.
 */
export async function compareFiles(
  plugins: readonly FoundPlugin[],
  { lock }: Pick<Supply, "lock">,
  failed: (fault: PluginError) => void,
): Promise<void> {
  for (const plugin of plugins) {
    await setImmediate();
    await checkApproval(plugin, lock[plugin.id]?.current).catch((error: unknown) => {
      if (!PluginError.is(error)) throw error;
      if (existsSync(plugin.root)) failed(error);
    });
  }
}

const refusal = (id: string, message: string, remedy: string): PluginError =>
  new PluginError(id, "approve", message, { remedy });

const lookAt = (id: string): string =>
  `Look at it, then approve it as it is now: pergola plugins approve ${id}. Or name it under disabled.`;

/**
 * Gives back the digest that its files must have, null where they may change. Throws PluginError for a plugin
 * that nobody has approved, or that asks for more than was approved.
 */
function checkGrants(plugin: FoundPlugin, locked: LockedVersion | undefined): string | null {
  const { id } = plugin;
  if (locked === undefined)
    throw refusal(
      id,
      "nobody has approved it yet",
      `See what it may do, and decide: pergola plugins approve ${id}.`,
    );
  const faults = grantFaults(plugin, locked);
  if (faults.length > 0) throw refusal(id, faults.join("; "), lookAt(id));
  return locked.files;
}

/** Rejects with PluginError when a plugin is not what was approved. */
export async function checkApproval(plugin: FoundPlugin, locked: LockedVersion | undefined): Promise<void> {
  const files = checkGrants(plugin, locked);
  if (locked === undefined || files === null) return;
  const { id, root } = plugin;
  const digest = await pluginDigest(root).catch((error: unknown) => {
    throw refusal(id, messageOf(error), lookAt(id));
  });
  if (digest !== files) throw refusal(id, changeOf(plugin, locked), lookAt(id));
}

function grantFaults({ tier, permissions }: FoundPlugin, locked: LockedVersion): readonly string[] {
  const isMoreTrusted = tier === "trusted" && locked.trusted !== true;
  const { permissions: granted } = locked;
  const wider =
    granted === null ? [] : differences({ permissions: granted, tools: null }, { permissions, tools: null });
  return [
    ...(isMoreTrusted ? ["it was not approved to run in the host's process"] : []),
    ...wider.map((each) => `it asks for more than was approved: ${each}`),
  ];
}

function changeOf({ version }: FoundPlugin, { version: before, grantedAt }: LockedVersion): string {
  const what = version === before ? `its files (version ${version})` : `version ${before} to ${version}`;
  return `it has changed since you approved it on ${grantedAt.slice(0, 10)}: ${what}`;
}
