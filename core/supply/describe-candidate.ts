import type { PluginStatus } from "@pergola/sdk";
import type { SettingsOptions, PluginEntry } from "../settings/read-settings.ts";
import type { Log } from "@pergola/sdk";

/**
 * Loads a plugin once beside those of the settings, in a process of its own, and gives its state: whether it
 * would run, and what its tools say they do. Nothing listens, and nothing is kept. Rejects when the host
 * itself cannot be made.
 */
export async function describeCandidate(
  settings: SettingsOptions,
  log: Log,
  id: string,
  candidates: readonly PluginEntry[],
): Promise<PluginStatus | undefined> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settings, log, inspecting: true, candidates, unpinned: [id] });
  try {
    return host.services.system.plugins().find((plugin) => plugin.id === id);
  } finally {
    await host.stop();
  }
}
