import type { ToolContext } from "@pergola/sdk";

/** Shows what a call waits for, and for how long already, until the work is done. `every` is in seconds. */
export async function whileWaiting<T>(
  { progress }: Pick<ToolContext, "progress">,
  what: string,
  work: Promise<T>,
  every = 10,
): Promise<T> {
  let seconds = 0;
  progress(what);
  const timer = setInterval(() => progress(`${what}: ${(seconds += every)} s`), every * 1000);
  return work.finally(() => clearInterval(timer));
}
