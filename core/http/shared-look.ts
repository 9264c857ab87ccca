/**
 * Makes a look at the system cheap for many who ask at once: there is one at a time, and all who asked before
 * it began share it.
 */
export function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let begun: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    waiting ??= begun.then(() => {
      waiting = undefined;
      const seen = look();
      begun = seen.catch(() => undefined);
      return seen;
    });
    return waiting;
  };
}
