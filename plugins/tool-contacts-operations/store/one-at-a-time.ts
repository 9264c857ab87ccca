const last = new Map<string, Promise<unknown>>();

/** Runs the works for one key one after the other: calls that run at once must not overwrite each other's changes. */
export async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
  last.set(key, turn);
  try {
    return await turn;
  } finally {
    if (last.get(key) === turn) last.delete(key);
  }
}
