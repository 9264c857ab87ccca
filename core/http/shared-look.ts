/** The share of the time that looks may take in the long run. */
const share = 0.1;
/** Milliseconds of looks that may follow each other at once. */
const most = 50;

/**
 * A synchronous look at the system, taken once for all who ask before it begins. Among thousands of
 * connections one look is long, and each turn of the event loop would bring one: looks take a tenth of the
 * time at most.
 */
export function sharedLook<T>(look: () => T): () => Promise<T> {
  let asked: Promise<T> | undefined;
  /** Milliseconds that looks may take now; below 0 the next one waits. */
  let left = most;
  let counted = performance.now();

  const count = (): void => {
    const now = performance.now();
    left = Math.min(most, left + share * (now - counted));
    counted = now;
  };
  const take = (): T => {
    asked = undefined;
    count();
    const begun = performance.now();
    try {
      return look();
    } finally {
      left -= performance.now() - begun;
    }
  };

  return () => {
    asked ??= new Promise<void>((go) => {
      count();
      if (left < 0) setTimeout(go, -left / share);
      else setImmediate(go);
    }).then(take);
    return asked;
  };
}
