import { updateSettings } from "@clack/core";

/**
 * What a terminal sends at Ctrl-D: as a key, or where it was pressed before anybody read keys. Prompts take
 * it as they take Ctrl-C, once they were told so: those of `@clack/prompts` apart, for they have settings of
 * their own.
 */
export const leavingKeys = { aliases: { "\u0004": "cancel", "\u0000": "cancel" } } as const;
updateSettings(leavingKeys);

let ended: AbortController | undefined;

/** Aborts once nobody can write at the terminal any more. */
function endOfInput(): AbortSignal {
  if (ended !== undefined) return ended.signal;
  const controller = (ended = new AbortController());
  const abort = (): void => controller.abort();
  if (process.stdin.readableEnded || process.stdin.destroyed) abort();
  else process.stdin.once("end", abort).once("close", abort);
  return controller.signal;
}

/**
 * Asks a question until the signal withdraws it, or the input ends. A signal that aborts after the answer
 * does not reach the prompt: it would end its line again, and take the keys from the question that follows.
 */
export async function askUntil<T>(
  signal: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const withdrawn = AbortSignal.any([...(signal ? [signal] : []), endOfInput()]);
  const closing = new AbortController();
  const close = (): void => closing.abort();
  if (withdrawn.aborted) close();
  withdrawn.addEventListener("abort", close);
  try {
    return await ask(closing.signal);
  } finally {
    withdrawn.removeEventListener("abort", close);
  }
}
