/**
 * What others wait for too, for one who may leave: rejects with the signal's reason when it aborts first, and
 * lets the work go on.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let leave = (): void => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener("abort", leave, { once: true });
  });
  return Promise.race([work, left]).finally(() => signal.removeEventListener("abort", leave));
}
