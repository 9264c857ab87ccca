/**
 * A synchronous look at the system, taken once for all who ask in the same turn of the event loop, after they
 * have asked. In pieces it would take a dozen turns, each as long as the work of others in it.
 */
export function onceATurn<T>(look: () => T): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        asked = undefined;
        try {
          resolve(look());
        } catch (error) {
          reject(error);
        }
      });
    });
    return asked;
  };
}
