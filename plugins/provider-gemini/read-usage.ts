import { isObject, type Usage } from "@pergola/sdk";
import { buildUsage, readCount } from "@pergola/kit-provider";

/** A `usageMetadata` object; undefined when it counts nothing. Thoughts are part of the output. */
export function readUsage(metadata: unknown): Usage | undefined {
  if (!isObject(metadata)) return undefined;
  const answer = readCount(metadata["candidatesTokenCount"]);
  const thoughts = readCount(metadata["thoughtsTokenCount"]);
  const hasOutput = answer !== undefined || thoughts !== undefined;
  return buildUsage({
    promptTokens: readCount(metadata["promptTokenCount"]),
    completionTokens: hasOutput ? (answer ?? 0) + (thoughts ?? 0) : undefined,
    cachedTokens: readCount(metadata["cachedContentTokenCount"]),
    reasoningTokens: thoughts,
  });
}
