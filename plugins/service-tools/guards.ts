import type { JsonObject, ToolResult } from "@pergola/sdk";
import { canonicalJson } from "@pergola/sdk/host";

const sameBatchLimit = 3;
const familyLimit = 3;
const failureLimit = 6;

/** What makes two calls the same. */
export interface CallKey {
  readonly tool: string;
  readonly operation: string;
  readonly arguments: JsonObject | string;
}

export const failed = (error_code: string, error: string, message = ""): ToolResult => ({
  success: false,
  error,
  message,
  error_code,
});

/**
 * Ends loops that lead nowhere: the same batch again and again, a tool that keeps failing, nothing but
 * failures.
 */
export class Guards {
  #lastBatch = "";
  #repeats = 0;
  #failures = 0;
  readonly #family = new Map<string, number>();

  /** The answer to every call of a batch that comes the third time in a row. */
  repeated(batch: readonly CallKey[]): ToolResult | undefined {
    const key = batch
      .map((call) => `${call.tool}.${call.operation} ${canonicalJson(call.arguments)}`)
      .join("\n");
    if (key !== this.#lastBatch) this.#repeats = 0;
    this.#repeats += 1;
    this.#lastBatch = key;
    if (this.#repeats < sameBatchLimit) return undefined;
    return failed(
      "repeated_call",
      "The same calls were made three times in a row.",
      "Their results will not change. Use what you have, or do something else.",
    );
  }

  /** The answer to a call of a family that failed three times in a row; until another family succeeds. */
  suspended(tool: string): ToolResult | undefined {
    if ((this.#family.get(tool) ?? 0) < familyLimit) return undefined;
    return failed(
      "tool_suspended",
      `${tool} failed ${familyLimit} times in a row.`,
      "Use another tool first, or answer without it.",
    );
  }

  /**
   * Counts a result; the one that completes a series of failures says to stop. Denials do not count. A result
   * that could not be stored ends the run: nothing after it could be stored either.
   */
  count(tool: string, result: ToolResult): ToolResult {
    if (result.error_code === "denied" || result.error_code === "cancelled") return result;
    if (result.success) {
      this.#failures = 0;
      for (const family of this.#family.keys())
        if (family !== tool || (this.#family.get(family) ?? 0) < familyLimit) this.#family.delete(family);
      return result;
    }
    this.#failures += result.error_code === "storage_unavailable" ? failureLimit : 1;
    const row = (this.#family.get(tool) ?? 0) + 1;
    this.#family.set(tool, row);
    if (row === familyLimit)
      return { ...result, message: `${result.message} Stop using ${tool} for now.`.trim() };
    return result;
  }

  get exhausted(): boolean {
    return this.#failures >= failureLimit;
  }
}

export const tooManyCalls = (limit: number): ToolResult =>
  failed(
    "too_many_calls",
    `More than ${limit} ${limit === 1 ? "call" : "calls"} in one answer.`,
    "Make the remaining calls in the next step.",
  );
