const tails = new Map<string, Promise<unknown>>();

/** Runs what is done to one document one after the other, so that two imports of it do not leave its text twice. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const result = (tails.get(key) ?? Promise.resolve()).then(work);
  const settled = result.catch(() => undefined);
  tails.set(key, settled);
  void settled.then(() => {
    if (tails.get(key) === settled) tails.delete(key);
  });
  return result;
}
