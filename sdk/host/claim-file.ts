import { closeSync, openSync, statSync, unlinkSync } from "node:fs";

/** Milliseconds after which a file that somebody began to write is taken for a dead one's. */
const abandoned = 5_000;

/**
 * Makes a file, readable by its owner alone, that says who may change another: whoever has made it, until it
 * is gone. While another process has it, it waits. Throws where the file cannot be made.
 */
export function claimFile(file: string): void {
  for (;;) {
    try {
      closeSync(openSync(file, "wx", 0o600));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (ageOf(file) > abandoned) unlinkSync(file);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
