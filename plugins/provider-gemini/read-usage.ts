import type { Usage } from "@pergola/sdk";
import { countOf, isObject } from "./values.ts";

/**
 * A `usageMetadata` object; undefined when it counts nothing. Thoughts are part of what the model put out.
 */
export function readUsage(metadata: unknown): Usage | undefined {
  if (!isObject(metadata)) return undefined;
  const [prompt, answer, thoughts] = ["promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount"].map(
    (name) => countOf(metadata[name]),
  );
  if (prompt === undefined && answer === undefined && thoughts === undefined) return undefined;
  const cached = countOf(metadata["cachedContentTokenCount"]);
  return {
    promptTokens: prompt ?? 0,
    completionTokens: (answer ?? 0) + (thoughts ?? 0),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
  };
}
