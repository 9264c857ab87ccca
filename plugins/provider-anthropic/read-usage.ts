import type { Usage } from "@pergola/sdk";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;

/**
 * Gathers the counts of `message_start` and `message_delta`; later ones are totals and win. All input is what
 * was neither written to the cache nor read from it, and both of these.
 */
export class UsageReader {
  #counts: Readonly<Record<string, number>> = {};

  read(usage: unknown): void {
    if (!isObject(usage)) return;
    const details = usage["output_tokens_details"];
    const found = {
      input: count(usage["input_tokens"]),
      written: count(usage["cache_creation_input_tokens"]),
      cached: count(usage["cache_read_input_tokens"]),
      output: count(usage["output_tokens"]),
      thought: isObject(details) ? count(details["thinking_tokens"]) : undefined,
    };
    const told = Object.entries(found).filter((entry): entry is [string, number] => entry[1] !== undefined);
    this.#counts = { ...this.#counts, ...Object.fromEntries(told) };
  }

  /** undefined when nothing was counted. */
  get usage(): Usage | undefined {
    const { input, written = 0, cached, output, thought } = this.#counts;
    if (input === undefined && output === undefined) return undefined;
    return {
      promptTokens: (input ?? 0) + written + (cached ?? 0),
      completionTokens: output ?? 0,
      ...(cached === undefined ? {} : { cachedTokens: cached }),
      ...(thought === undefined ? {} : { reasoningTokens: thought }),
    };
  }
}
