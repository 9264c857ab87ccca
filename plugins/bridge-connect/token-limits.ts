import type { ModelFacts } from "./client.ts";

/** Some models can answer with all of their context: at least half of it is left to the prompt. In tokens. */
export function promptAndAnswer({ contextTokens, outputTokens }: ModelFacts) {
  const answer = Math.min(outputTokens, Math.floor(contextTokens / 2));
  return { prompt: contextTokens - answer, answer };
}
