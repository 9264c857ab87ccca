import { closeSync, constants, fstatSync, openSync, readSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import type { OpenFile } from "./facts.ts";

/** Where the open file really is, as far as the system tells. */
const placeOf = (fd: number, file: string): string =>
  process.platform === "linux" ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync.native(file);

/**
 * Lends a regular file that stands at a real path itself: what a link leads to instead, swapped in at
 * whatever moment, is refused, and a pipe is not waited for. Throws what the system says.
 */
export async function withOpenFile<T>(file: string, use: (open: OpenFile) => Promise<T>): Promise<T> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || placeOf(fd, file) !== file) throw new Error("not a file at this place");
    const head = (bytes: number): Buffer => {
      const buffer = Buffer.allocUnsafe(Math.min(bytes, stats.size));
      return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, 0));
    };
    return await use({ fd, name: path.basename(file), size: stats.size, head });
  } finally {
    closeSync(fd);
  }
}
