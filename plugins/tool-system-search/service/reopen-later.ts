import type { PluginHost } from "@pergola/sdk";
import { indexes } from "./indexes.ts";
import { existingSettings } from "./settings.ts";

/** Milliseconds after the start of the host. */
const delay = 10_000;
let timer: NodeJS.Timeout | undefined;

/**
 * Opens an index that was made before once the host has been at work for a while, so that it is up to date
 * when it is asked.
 */
export function reopenLater(host: PluginHost): void {
  timer = setTimeout(() => {
    const settings = existingSettings(host);
    if (settings === undefined) return;
    indexes
      .open(settings)
      .catch((error: unknown) => host.log.warn({ error }, "the index of system_search could not be opened"));
  }, delay).unref();
}

export async function closeIndexes(): Promise<void> {
  clearTimeout(timer);
  await indexes.close();
}
