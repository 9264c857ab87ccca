import { isObject } from "@pergola/sdk";
import type { PackedMessage } from "../package-form.ts";

/** A message as the service shows it. */
type Shown = Pick<PackedMessage, "role" | "content">;

/** How a conversation here differs from the one in an export, in messages. */
export interface Difference {
  readonly onlyInExport: number;
  readonly onlyHere: number;
}

const spoken = new Set(["user", "assistant"]);

function countTexts(messages: readonly Shown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { role, content } of messages) {
    if (!spoken.has(role) || !content) continue;
    const text = `${role}\n${content}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function countMissing(of: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let missing = 0;
  for (const [text, count] of of) missing += Math.max(0, count - (other.get(text) ?? 0));
  return missing;
}

/** Compares what was said, whatever its ids and times. */
export function compare(exported: readonly Shown[], here: readonly Shown[]): Difference {
  const [there, stored] = [countTexts(exported), countTexts(here.filter(isObject))];
  return { onlyInExport: countMissing(there, stored), onlyHere: countMissing(stored, there) };
}
