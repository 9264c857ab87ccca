import type { Awaitable } from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";

/** Milliseconds that a plugin may take for a step; Pergola's own, which are many, take longer to import. */
export const deadlines = {
  import: 10_000,
  importOwn: 30_000,
  register: 10_000,
  collect: 30_000,
  start: 30_000,
  stop: 5_000,
};

/** The names of steps, where two have one. */
export const stepNames: Partial<Record<keyof typeof deadlines, string>> = { importOwn: "import" };

/** Rejects where a step takes longer than so many milliseconds. */
export function within<T>(limit: number, work: () => Awaitable<T>): Promise<T> {
  const tooLong = (): Error => new Error(`it took longer than ${limit / 1000} s`);
  return withDeadline(Promise.resolve().then(work), limit, tooLong);
}
