import { createReadStream } from "node:fs";
import { Parser, type ReadEntry } from "tar";

const links = new Set(["Link", "SymbolicLink"]);
const plain = new Set(["File", "OldFile", "ContiguousFile", "Directory"]);

/** There, it divides folders; elsewhere a file may be called so. */
const isWindows = process.platform === "win32";

/** What is wrong with an entry of a tarball. */
function entryFault({ path: name, type }: ReadEntry): string | undefined {
  if (links.has(type)) return `${name} is a link`;
  if (!plain.has(type)) return `${name} is no ordinary file`;
  if (name.startsWith("/") || /^[a-z]:/i.test(name) || (isWindows && name.includes("\\")))
    return `${name} is no path below it`;
  if (name.split("/").includes("..")) return `${name} leads out of it`;
  return undefined;
}

/**
 * Looks at each entry of a tarball, and unpacks nothing. Rejects for one that leads out of its folder, for
 * links and devices, for an archive that is damaged or cut off, and with what `look` says is wrong.
 */
export async function readEntries(
  file: string,
  look: (entry: ReadEntry) => string | undefined,
): Promise<void> {
  const input = createReadStream(file);
  const parser = new Parser({ strict: true });
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on("entry", (entry: ReadEntry) => {
        const wrong = entryFault(entry) ?? look(entry);
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
    throw cause;
  } finally {
    input.unpipe();
    input.destroy();
  }
}
