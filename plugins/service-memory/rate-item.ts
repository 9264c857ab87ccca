import type { MemoryItem } from "@pergola/sdk";

/**
 * Both are small beside what words and nearness count: they decide between items that answer about equally
 * well.
 */
const importanceWeight = 0.2;
const recencyWeight = 0.05;

/** Milliseconds in which recency loses half of its weight. */
const halfLife = 30 * 86_400_000;

/**
 * What an item's importance and age count: importance from −0.1 to 0.1, and up to 0.05 for what is new,
 * halved with every 30 days. Relevance, importance and an exponential recency are added, as in the memory of
 * Park and others, "Generative Agents", UIST 2023.
 */
export function rateItem(
  { importance, updatedAt }: Pick<MemoryItem, "importance" | "updatedAt">,
  now: number,
): number {
  const age = Math.max(0, now - Date.parse(updatedAt));
  return importanceWeight * (importance - 0.5) + recencyWeight * 2 ** (-age / halfLife);
}
