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

const needsTools = ({ tools, raw }: Need): boolean =>
  (raw === undefined ? tools : ((raw["tools"] as readonly unknown[] | null | undefined) ?? [])).length > 0;

const tokensOf = (call: Need): number =>
  call.raw === undefined ? estimateTokens(call) : Math.ceil(JSON.stringify(call.raw).length / 4);

/**
 * What a model lacks that the call needs, as far as its facts are known: a guess is no reason to pass it
 * over.
 */
export function lackOf({ supportsTools, contextWindow }: Partial<ModelInfo>, call: Need): string | undefined {
  if (supportsTools === false && needsTools(call)) return "it has no tools";
  const needed = contextWindow === undefined ? 0 : tokensOf(call);
  return needed > (contextWindow ?? 0)
    ? `the call needs about ${needed} tokens of context, and it has ${contextWindow}`
    : undefined;
}
