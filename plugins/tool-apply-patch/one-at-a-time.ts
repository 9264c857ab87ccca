let last: Promise<unknown> = Promise.resolve();

/** Runs jobs one after the other, whatever becomes of those before: two patches of one file must not undo each other. */
export function oneAtATime<T>(job: () => Promise<T>): Promise<T> {
  const result = last.then(job);
  last = result.catch(() => undefined);
  return result;
}
