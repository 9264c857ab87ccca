/** A read that is done once at a time, each time for all who asked before it began. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const reading = read();
    last = reading.catch(() => undefined);
    return reading;
  };
  return () => {
    next ??= last.then(begin);
    return next;
  };
}
