let last: Promise<unknown> = Promise.resolve();

/** Makes changes one after the other, so that none builds on what another is about to replace. */
export function oneAfterOther<T>(change: () => Promise<T>): Promise<T> {
  const made = last.then(change);
  last = made.catch(() => undefined);
  return made;
}
