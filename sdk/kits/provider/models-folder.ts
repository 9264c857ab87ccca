import { rmdir } from "node:fs/promises";
import path from "node:path";
import { isBelow, stringOf, type ProviderDoor } from "@pergola/sdk";

/** The folder of installed models: the preference `downloads.path`, or `<data>/models`. */
export function modelsFolder(door: ProviderDoor): string {
  const folder = stringOf(door.preference("downloads.path"));
  return path.resolve(folder || path.join(door.dataDirectory, "models"));
}

/** Removes the folder if it is empty, and so on upwards until `root`, which stays. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root && isBelow(root, current); current = path.dirname(current)) {
    try {
      await rmdir(current);
    } catch {
      return;
    }
  }
}
