import { messageOf, PluginError } from "@pergola/sdk";
import type { Discovery, FoundPlugin } from "./discover.ts";
import { pluginDigest } from "./plugin-digest.ts";
import { differences } from "./plugin-grants.ts";
import type { LockedVersion } from "./plugin-lock.ts";
import type { Supply } from "./supervisors.ts";

/** Ids of plugins that are taken as they are, without the lock; or all. */
export type Unpinned = "all" | readonly string[];

/** Whether a plugin needs an approval; files are the person's own, or trusted with their folder. */
export const isPinned = ({ id, source }: Pick<FoundPlugin, "id" | "source">, unpinned: Unpinned): boolean =>
  source !== "own" && source !== "file" && unpinned !== "all" && !unpinned.includes(id);

/**
 * Leaves out the plugins of others that nobody has approved, or whose files are not those that were approved:
 * what such a plugin does is not known, and no one was asked.
 */
export async function pinPlugins(
  discovery: Discovery,
  { lock, lockFault, unpinned }: Pick<Supply, "lock" | "lockFault" | "unpinned">,
): Promise<Discovery> {
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
    };
  for (const plugin of pinned) {
    try {
      await checkApproval(plugin, lock[plugin.id]?.current);
    } catch (error) {
      if (!PluginError.is(error)) throw error;
      faults.push(error);
    }
  }
  return { ...discovery, faults: [...discovery.faults, ...faults] };
}

/** Rejects with PluginError when a plugin is not what was approved. */
export async function checkApproval(plugin: FoundPlugin, locked: LockedVersion | undefined): Promise<void> {
  const { id, root } = plugin;
  const refuse = (message: string, remedy: string): PluginError =>
    new PluginError(id, "approve", message, { remedy });
  const look =
    `Look at it, then approve it as it is now: pergola plugins approve ${id}. ` +
    "Or name it under disabled.";
  if (locked === undefined)
    throw refuse(
      "nobody has approved it yet",
      `See what it may do, and decide: pergola plugins approve ${id}.`,
    );
  const faults = grantFaults(plugin, locked);
  if (faults.length > 0) throw refuse(faults.join("; "), look);
  if (locked.files === null) return;
  const digest = await pluginDigest(root).catch((error: unknown) => {
    throw refuse(messageOf(error), look);
  });
  if (digest !== locked.files) throw refuse(changeOf(plugin, locked), look);
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
