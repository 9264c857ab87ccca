import type { Log, PluginStatus } from "@pergola/sdk";
import type { SettingsOptions, PluginEntry } from "../settings/read-settings.ts";

/** What was learnt of a plugin that nobody has agreed to yet. */
export interface Described extends PluginStatus {
  /** No sandbox works here: it was not loaded. */
  readonly isUntried: boolean;
}

/**
 * Loads a plugin once beside those of the settings, in the sandbox, and gives its state: whether it would
 * run, and what its tools say they do. Where no sandbox works it is not loaded. Nothing listens, and nothing
 * is kept. Rejects when the host itself cannot be made.
 */
export async function describeCandidate(
  settings: SettingsOptions,
  log: Log,
  id: string,
  candidates: readonly PluginEntry[],
): Promise<Described | undefined> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settings, log, inspecting: true, candidates, unpinned: [id] });
  try {
    const { preferences, system } = host.services;
    const status = system.plugins().find((plugin) => plugin.id === id);
    if (status === undefined) return undefined;
    const isUntried = status.problem?.message.includes("there is no sandbox to run it in") ?? false;
    const runsBare = isUntried && preferences.get("plugins.require_sandbox") === false;
    return { ...status, isUntried, ...(runsBare && { fault: null, problem: null }) };
  } finally {
    await host.stop();
  }
}
