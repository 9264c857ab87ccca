/**
 * Settles as the work does, or rejects with `late()` after so many milliseconds. The work itself cannot be
 * stopped from here.
 */
export function withDeadline<T>(work: PromiseLike<T>, milliseconds: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
