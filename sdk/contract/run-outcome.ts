import type { AppError } from "./errors.ts";
import type { FinishReason, ToolCall } from "./provider.ts";
import type { RunRecord } from "./run.ts";
import type { JsonObject } from "../util/json.ts";

/** One model call of a run, for the run's outcome. */
export interface IterationRecord {
  readonly iteration: number;
  readonly text: string;
  readonly toolsRequested: readonly string[];
  readonly timestamp: string;
}

/** One tool call of a run, for the run's outcome. */
export interface ToolExecution {
  readonly callId: string;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: JsonObject;
  readonly success: boolean;
  readonly result: string;
  readonly iteration: number;
  readonly timestamp: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** Facts of the provider and the model that answered, for the answer's metadata. */
export interface ModelDetails {
  readonly modelId: string;
  readonly providerId: string;
  readonly providerType: string;
  readonly providerName: string;
  readonly isLocal: boolean;
  /** Scheme and host, or `local`. */
  readonly baseUrl: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly supportsTools: boolean;
  readonly supportsVision: boolean;
  readonly family: string;
  readonly source: "provider" | "user" | "table" | "probe" | "guess";
  /**
   * USD per 1,000 tokens, `cached` for the part of the prompt that the provider had kept; undefined when
   * nobody knows.
   */
  readonly prices?: {
    readonly prompt: number;
    readonly completion: number;
    readonly cached?: number;
    readonly note: string;
  };
  /** Why there are no prices, where that has a reason. */
  readonly priceNote?: string;
}

/** Everything that a finished run answers. */
export interface RunOutcome {
  readonly run: RunRecord;
  readonly answeredBy: ModelDetails | null;
  /** The text of the last iteration; the streamed text if that is empty. */
  readonly text: string;
  readonly reasoning: string;
  readonly finishReason: FinishReason;
  readonly callerCalls: readonly ToolCall[];
  readonly usageSource: "provider" | "estimated";
  /** Seconds. */
  readonly duration: number;
  readonly warnings: readonly string[];
  /**
   * The memories that were put before the model, the first use of each; absent where the run is read from the
   * store. `similarity`: 0 to 1, how well it fits
   * the question; null where it is shown whatever the question is.
   */
  readonly memories?: readonly {
    readonly id: string;
    readonly similarity: number | null;
    readonly updatedAt: string;
  }[];
  readonly statefulMarker?: string;
  /** The message below which its request began a branch; null: at the beginning. */
  readonly branchedFrom?: string | null;
  readonly iterations: readonly IterationRecord[];
  readonly executions: readonly ToolExecution[];
  readonly error: AppError | null;
  /** The end of the run could not be stored: none of it is to be acknowledged. */
  readonly storageFailed?: boolean;
}
