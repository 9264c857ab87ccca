/** The share of the time that looks may take in the long run. */
const share = 0.1;
/** Milliseconds of looks that may follow each other at once. */
const most = 50;
/** Milliseconds from which on a look is too long for this thread, unless there is time for two like it. */
const long = 8;
/** So many who wait for one look have come in a crowd: their connections alone make it long. */
const crowd = 32;
/** How many times as long as a look aside took no other begins: another thread needs a core too. */
const restFor = 2;

const after = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A synchronous look at the system, taken once for all who ask before it begins. Among thousands of
 * connections one look is long, and each turn of the event loop would bring one: looks take a tenth of the
 * time at most. What is beyond that, looks after long ones, and one for a crowd, are taken aside where there
 * is a way, and wait elsewhere. The thread aside takes longer to start than a rare look does.
 */
export function sharedLook<T>(look: () => T, aside?: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  /** How many wait for the look that has not begun. */
  let waiting = 0;
  /** Milliseconds that looks may take now; below 0 there is none. */
  let left = most;
  let counted = performance.now();
  /** Milliseconds that the last look took. */
  let took = 0;
  /** Resolves when the next look aside may begin. */
  let free = Promise.resolve();

  const count = (): void => {
    const now = performance.now();
    left = Math.min(most, left + share * (now - counted));
    counted = now;
  };
  const begin = (): void => {
    asked = undefined;
    waiting = 0;
  };
  const take = (): T => {
    begin();
    count();
    const begun = performance.now();
    try {
      return look();
    } finally {
      took = performance.now() - begun;
      left -= took;
    }
  };
  const takeAside = (from: () => Promise<T>): Promise<T> => {
    begin();
    const begun = performance.now();
    const taken = from();
    free = taken
      .finally(() => (took = performance.now() - begun))
      .then(
        () => after(restFor * took),
        () => undefined,
      );
    return taken;
  };

  const next = async (): Promise<T> => {
    count();
    if (aside === undefined || left >= (took < long ? 0 : 2 * took)) {
      await (left < 0 ? after(-left / share) : turn());
      if (aside === undefined || waiting < crowd) return take();
    }
    await free.then(turn);
    return takeAside(aside);
  };
  return () => {
    waiting += 1;
    return (asked ??= next());
  };
}
