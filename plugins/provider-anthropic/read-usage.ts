import { defined, type Usage } from "@pergola/sdk";
import { buildUsage, readCount, fieldsOf, valueAt } from "@pergola/kit-provider";

type Counts = Partial<Readonly<Record<"input" | "written" | "cached" | "output" | "thinking", number>>>;

/**
 * Gathers the counts of `message_start` and `message_delta`; later ones are totals and win. `input_tokens`
 * leaves out what was written to the cache or read from it.
 */
export class UsageReader {
  #counts: Counts = {};

  read(usage: unknown): void {
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
      fieldsOf(usage);
    const counts = defined({
      input: readCount(input_tokens),
      written: readCount(cache_creation_input_tokens),
      cached: readCount(cache_read_input_tokens),
      output: readCount(output_tokens),
      thinking: readCount(valueAt(usage, "output_tokens_details.thinking_tokens")),
    });
    this.#counts = { ...this.#counts, ...counts };
  }

  /** undefined when nothing was counted. */
  get usage(): Usage | undefined {
    const { input, written = 0, cached, output, thinking } = this.#counts;
    if (input === undefined && output === undefined) return undefined;
    return buildUsage({
      promptTokens: (input ?? 0) + written + (cached ?? 0),
      completionTokens: output,
      cachedTokens: cached,
      reasoningTokens: thinking,
    });
  }
}
