import { fault } from "../fault.ts";
import { mostOfPlugin, tooLarge } from "../plugins/plugin-digest.ts";
import { readEntries } from "./tarball-entries.ts";

/**
 * Looks through a package's tarball before anything unpacks it. Rejects with AppError for what leads out of
 * its folder, links, devices, and more than a plugin may hold; sizes are judged by what stands in front of
 * each file.
 */
export async function checkTarball(file: string): Promise<void> {
  const taken = { files: 0, bytes: 0 };
  try {
    await readEntries(file, ({ path: name, size }) => {
      if (name.includes("\\")) return `${name} is no path below it`;
      taken.files += 1;
      taken.bytes += size;
      const isTooMuch = taken.files > mostOfPlugin.files || taken.bytes > mostOfPlugin.bytes;
      return isTooMuch ? tooLarge : undefined;
    });
  } catch (cause) {
    const message = `This package is refused: ${(cause as Error).message}.`;
    throw fault("invalid_value", message, { cause });
  }
}
