import { printDim } from "./print-result.ts";
import type { Service } from "./service.ts";
import { visible } from "./visible.ts";

interface Run {
  readonly model: string;
  readonly usage: { readonly total_tokens: number };
  /** null where no price is known. */
  readonly costUsd: number | null;
}

/** Tokens, estimated. */
interface Context {
  readonly estimatedTokens: number;
  readonly usable: number;
}

/** Of little sums more digits: they would read as nothing. */
function priceOf(costUsd: number | null): string {
  if (costUsd === null) return "no price known";
  return costUsd === 0 ? "" : `$${costUsd.toFixed(costUsd < 0.01 ? 4 : 2)}`;
}

/** Which model answered, what that took, and how full its context is; nothing of what cannot be read. */
export async function printStatusLine(
  service: Service,
  { conversationId = "", runId }: { readonly conversationId?: string; readonly runId?: string | undefined },
): Promise<void> {
  if (runId === undefined) return;
  const [conversation, run] = [conversationId, runId].map(encodeURIComponent);
  const [record, context] = await Promise.all([
    service.get<Run>(`/api/runs/${run}`).catch(() => undefined),
    service.get<Context>(`/v1/conversations/${conversation}/context?runId=${run}`).catch(() => undefined),
  ]);
  if (record === undefined) return;
  const facts = [
    visible(record.model),
    `${record.usage.total_tokens.toLocaleString("en")} tokens`,
    priceOf(record.costUsd),
    context === undefined ? "" : `context ${Math.round((100 * context.estimatedTokens) / context.usable)} %`,
  ];
  printDim(facts.filter((fact) => fact !== "").join(" · "));
}
