/** What the system says of a process, or of a file of it, that has gone, or that is another account's. */
const gone = new Set<unknown>(["ENOENT", "ESRCH", "EACCES", "EPERM", "ENOTDIR", "EINVAL"]);

/**
 * Reads what the system tells of processes; undefined of one that has gone. A read that fails otherwise, as
 * for want of a descriptor, is tried once more, and throws then: nothing is taken for granted.
 */
export function readProc<T>(read: () => T): T | undefined {
  for (let attempt = 1; ; attempt += 1)
    try {
      return read();
    } catch (error) {
      if (gone.has((error as NodeJS.ErrnoException).code)) return undefined;
      if (attempt === 2) throw error;
    }
}
