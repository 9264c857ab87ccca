import type { Usage } from "@pergola/sdk";

const details = ["cachedTokens", "reasoningTokens"] as const;

/**
 * What two calls used together. A detail that neither provider tells stays unknown; where one tells it, the
 * other counts as none.
 */
export function sumOfUsage(a: Usage, b: Usage): Usage {
  const present = details.filter((detail) => (a[detail] ?? b[detail]) !== undefined);
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...Object.fromEntries(present.map((detail) => [detail, (a[detail] ?? 0) + (b[detail] ?? 0)])),
  };
}
