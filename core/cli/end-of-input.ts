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
export function endOfInput(): AbortSignal {
  if (ended !== undefined) return ended.signal;
  const controller = (ended = new AbortController());
  const abort = (): void => controller.abort();
  if (process.stdin.readableEnded || process.stdin.destroyed) abort();
  else process.stdin.once("end", abort).once("close", abort);
  return controller.signal;
}
