import { AppError, estimateTokens, type ModelCall, type ModelInfo } from "@pergola/sdk";

const codes = new Set([
  "provider_auth_failed",
  "provider_rate_limited",
  "model_not_found",
  "provider_error",
  "provider_timeout",
]);
/** Refusals that another model may not share: the account is empty, the model is not there. */
const statuses = new Set([402, 404]);

/** Whether another model may be asked after this failure. */
export const mayFallBack = (error: unknown): error is AppError =>
  AppError.is(error) && (codes.has(error.code) || statuses.has(Number(error.details?.["status"])));

type Need = Pick<ModelCall, "messages" | "tools" | "raw">;

function needsTools({ tools, raw }: Need): boolean {
  if (raw === undefined) return tools.length > 0;
  const rawTools = raw["tools"] as readonly unknown[] | null | undefined;
  return (rawTools ?? []).length > 0;
}

function tokensOf(call: Need): number {
  if (call.raw === undefined) return estimateTokens(call);
  return Math.ceil(JSON.stringify(call.raw).length / 4);
}

/**
 * What a model lacks that the call needs, as far as its facts are known: a guess is no reason to pass it
 * over.
 */
export function lackOf({ supportsTools, contextWindow }: Partial<ModelInfo>, call: Need): string | undefined {
  if (supportsTools === false && needsTools(call)) return "it has no tools";
  if (contextWindow === undefined) return undefined;
  const needed = tokensOf(call);
  if (needed <= contextWindow) return undefined;
  return `the call needs about ${needed} tokens of context, and it has ${contextWindow}`;
}
