import type { ToolContext } from "@pergola/sdk";
import { PlainText } from "../text/plain-text.ts";

/** Milliseconds between two lines of progress, and characters of one. */
const pause = 1000;
const widest = 200;

/** Shows the newest line of an output on the call's card, at a pace that a person can read. */
export function progressReader({
  progress,
  clock,
}: Pick<ToolContext, "progress" | "clock">): (text: string) => void {
  const reader = new PlainText();
  let reportedAt = -Infinity;
  return (piece) => {
    const text = reader.write(piece.slice(-4 * widest));
    const line = text.split("\n").findLast((one) => one.trim() !== "");
    if (line === undefined || clock.now() - reportedAt < pause) return;
    reportedAt = clock.now();
    progress(line.trim().slice(0, widest));
  };
}
