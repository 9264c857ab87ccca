/** So many times as long as a look has taken is none begun: a crowd takes a quarter of the time at most. */
const rest = 3;

/**
 * A synchronous look at the system, one for all who ask before it begins. It begins in the next turn of the
 * event loop, or once the last look is far enough back. In pieces it would take a dozen turns, each as long as
 * the work of others in it.
 */
export function sharedLook<T>(look: () => T): () => Promise<T> {
  let asked: Promise<T> | undefined;
  let notBefore = 0;
  const begin = (): T => {
    asked = undefined;
    const begun = performance.now();
    try {
      return look();
    } finally {
      const ended = performance.now();
      notBefore = ended + rest * (ended - begun);
    }
  };
  return () => {
    asked ??= new Promise<void>((resolve) => {
      const wait = notBefore - performance.now();
      if (wait > 0) setTimeout(resolve, wait);
      else setImmediate(resolve);
    }).then(begin);
    return asked;
  };
}
