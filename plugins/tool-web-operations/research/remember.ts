import type { MemoryDraft, ToolContext } from "@pergola/sdk";
import type { Finding } from "./findings.ts";
import type { Kind } from "./plan.ts";

/** What stored findings are told by. */
export const researchTag = "research";

/**
 * Keeps the findings, as what a tool has found: memory shows them as data with that origin. True when they
 * are kept.
 */
export async function remember(
  context: ToolContext,
  query: string,
  kind: Kind,
  findings: readonly Finding[],
): Promise<boolean> {
  const drafts = findings.map(({ summary, confidence, sources }): MemoryDraft => ({
    content: summary,
    contentType: "document",
    origin: "tool",
    tags: [researchTag, kind],
    context: query,
    confidence,
    metadata: { sources },
  }));
  try {
    await context.memory?.store(drafts);
    return context.memory !== undefined && drafts.length > 0;
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn({ error }, "Findings could not be stored.");
    return false;
  }
}
