import { messageOf } from "@pergola/sdk";
import type { SettingsSource } from "../settings/read-settings.ts";
import { linkSdk } from "../supply/sdk-link.ts";
import type { Unpinned } from "./pin-plugins.ts";
import { readLock } from "./plugin-lock.ts";
import type { Supply } from "./supervisors.ts";

interface SupplyOptions {
  readonly unpinned?: Unpinned;
  readonly inspecting?: boolean;
}

/**
 * Where the plugins of these settings come from. A lock that cannot be read is a fault of all that need it.
 */
export function openSupply(
  { reader, storage }: SettingsSource,
  { unpinned = [], inspecting = false }: SupplyOptions = {},
): Supply {
  const supply = { dataDirectory: reader.installed, unpinned, inspecting, storage: storage.type };
  try {
    const lock = readLock(reader.installed);
    const isNeeded = Object.values(lock).some(({ current }) => current?.folder !== undefined);
    if (isNeeded) linkSdk(reader.installed);
    return { ...supply, lock };
  } catch (error) {
    return { ...supply, lock: {}, lockFault: messageOf(error) };
  }
}
