import { pluginDigest } from "../../core/plugins/plugin-digest.ts";
import { readManifest } from "../../core/plugins/manifest.ts";
import { changeLock } from "../../core/plugins/plugin-lock.ts";

/** Writes what `pergola plugins approve` writes for plugins in folders, the host's process included. */
export async function approvePlugins(dataDirectory: string, ...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const { id, package: name, version, permissions } = readManifest(folder);
    const files = await pluginDigest(folder);
    const approved = {
      integrity: null,
      tools: null,
      trusted: true,
      grantedAt: "2026-01-01T00:00:00.000Z",
    } as const;
    changeLock(dataDirectory, () => ({
      [id]: { current: { ...approved, package: name, version, permissions, files } },
    }));
  }
}

/** The same for those whose manifest can be read. */
export async function approveReadable(dataDirectory: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await approvePlugins(dataDirectory, folder).catch(() => undefined);
}
