import { createReadStream } from "node:fs";
import { Parser, type ReadEntry } from "tar";
import { fault } from "../fault.ts";
import { mostOfPlugin, tooLarge } from "../plugins/plugin-digest.ts";

const links = new Set(["Link", "SymbolicLink"]);
const plain = new Set(["File", "OldFile", "ContiguousFile", "Directory"]);

/** What is wrong with an entry of a tarball. */
function entryFault({ path: name, type }: ReadEntry): string | undefined {
  if (links.has(type)) return `${name} is a link`;
  if (!plain.has(type)) return `${name} is no ordinary file`;
  if (name.startsWith("/") || /^[a-z]:/i.test(name) || name.includes("\\"))
    return `${name} is no path below it`;
  if (name.split("/").includes("..")) return `${name} leads out of it`;
  return undefined;
}

/**
 * Looks through a package's tarball before anything unpacks it. Rejects with AppError for what leads out of
 * its folder, links, devices, and more than a plugin may hold; sizes are judged by what stands in front of
 * each file.
 */
export async function checkTarball(file: string): Promise<void> {
  const taken = { files: 0, bytes: 0 };
  const input = createReadStream(file);
  const parser = new Parser({ strict: true });
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on("entry", (entry: ReadEntry) => {
        taken.files += 1;
        taken.bytes += entry.size;
        const isTooMuch = taken.files > mostOfPlugin.files || taken.bytes > mostOfPlugin.bytes;
        const wrong = isTooMuch ? tooLarge : entryFault(entry);
        if (wrong !== undefined) reject(new Error(wrong));
        entry.resume();
      });
      parser.on("end", resolve);
      parser.on("error", reject);
      input.on("error", reject);
      input.pipe(parser);
    });
  } catch (cause) {
    parser.abort(cause as Error);
    const message = `This package is refused: ${(cause as Error).message}.`;
    throw fault("invalid_value", message, { cause });
  } finally {
    input.unpipe();
    input.destroy();
  }
}
