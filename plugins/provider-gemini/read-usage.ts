import { isObject, type Usage } from "@pergola/sdk";
import { buildUsage, countOf } from "@pergola/kit-provider";

/** A `usageMetadata` object; undefined when it counts nothing. Thoughts are part of the output. */
export function readUsage(metadata: unknown): Usage | undefined {
  if (!isObject(metadata)) return undefined;
  const answer = countOf(metadata["candidatesTokenCount"]);
  const thoughts = countOf(metadata["thoughtsTokenCount"]);
  const hasOutput = answer !== undefined || thoughts !== undefined;
  return buildUsage({
    promptTokens: countOf(metadata["promptTokenCount"]),
    completionTokens: hasOutput ? (answer ?? 0) + (thoughts ?? 0) : undefined,
    cachedTokens: countOf(metadata["cachedContentTokenCount"]),
    reasoningTokens: thoughts,
  });
}
