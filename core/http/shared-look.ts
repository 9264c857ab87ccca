/** The share of the time that a look may take: the next one begins after so many times its own length. */
const pause = 3;

/**
 * A synchronous look at the system, taken once for all who ask before it begins. It takes a quarter of the time
 * at most: among thousands of connections one look is long, and each turn of the event loop would bring one.
 */
export function sharedLook<T>(look: () => T): () => Promise<T> {
  let asked: Promise<T> | undefined;
  let notBefore = 0;

  const take = (): T => {
    asked = undefined;
    const begun = performance.now();
    try {
      return look();
    } finally {
      const ended = performance.now();
      notBefore = ended + pause * (ended - begun);
    }
  };

  return () => {
    asked ??= new Promise<void>((go) => {
      const wait = notBefore - performance.now();
      if (wait > 1) setTimeout(go, wait);
      else setImmediate(go);
    }).then(take);
    return asked;
  };
}
