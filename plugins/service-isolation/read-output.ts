import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { LineBudget } from "./line-budget.ts";

/**
 * Characters of one piece of output that are logged, and of stderr that are handed over as evidence: more
 * than the host keeps, since it takes secrets out before it cuts.
 */
const [longestPiece, evidence] = [2000, 8192];

/**
 * Logs what a process writes. One that writes more than it may has to wait: its output is not read until
 * there are lines again. Gives back what it wrote last to stderr.
 */
export function readOutput(
  { stdout, stderr }: ChildProcess,
  budget: LineBudget,
  write: (output: string) => void,
): () => string {
  let last = "";
  const read = (stream: Readable | null, keep: (text: string) => void): void => {
    stream?.on("data", (bytes: Buffer) => {
      const text = bytes.toString();
      keep(text);
      if (budget.take()) return write(text.slice(0, longestPiece));
      stream.pause();
      setTimeout(() => stream.resume(), budget.wait).unref();
    });
  };
  read(stdout, () => undefined);
  read(stderr, (text) => {
    last = (last + text).slice(-evidence);
  });
  return () => last;
}
