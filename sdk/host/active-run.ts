import type { AppError } from "../contract/errors.ts";
import type { ToolCall, Usage } from "../contract/provider.ts";
import type { LiveRun, RunEvent } from "../contract/run.ts";
import type { RunOutcome } from "../contract/run-outcome.ts";
import type { ModelEntry } from "../contract/model-entry.ts";
import type { Fence, Write } from "../contract/storage.ts";
import type { StoredRun, StoredStep } from "./records.ts";
import type { TapWatch } from "./watched-hooks.ts";

/** A call under the store's id; the provider goes on seeing its own. */
export type NamedCall = ToolCall & { readonly providerId?: string };

/**
 * What a run begins with, its conversation's window aside. `open` are calls that a crash left without an
 * answer.
 */
export interface RunStart {
  /** The conversation began with this run. */
  readonly isNew?: boolean | undefined;
  readonly scope: string;
  readonly workingDirectory: string;
  readonly open: readonly NamedCall[];
  /** The text of the answers that it had before it was interrupted. */
  readonly answeredText: string;
}

/** The steps of a run that nothing else keeps; they are stored with what is stored next. */
export interface RunStepLog {
  /** A step that has just ended. */
  add(step: Omit<StoredStep, "at">): void;
  /** Notes what the handlers of a hook do; `callId`: of the tool call that it is about. */
  watch(kind: StoredStep["kind"], callId?: string): TapWatch;
}

/** A run in progress on this host, as its workflow sees it. */
export interface ActiveRun extends LiveRun {
  readonly record: StoredRun;
  readonly model: ModelEntry;
  /** Of a sub-agent: the run that started it, while this host works on it. */
  readonly parent: ActiveRun | undefined;
  /** Aborts when the run is cancelled or interrupted, or cannot be stored. */
  readonly signal: AbortSignal;
  /** The service stops: the run stays as it is and can be resumed after the next start. */
  readonly isInterrupted: boolean;
  /** Something could not be stored; the run ends with it. */
  readonly failure: AppError | undefined;
  /** Its time is over; the run ends with it. */
  readonly expired: AppError | undefined;
  /** By which commits about it are known to be this host's, where there are several. */
  readonly fence: Fence | undefined;
  readonly warnings: string[];
  readonly steps: RunStepLog;
  /** By id. */
  readonly memories: Map<string, NonNullable<RunOutcome["memories"]>[number]>;
  /** All that clients have been sent as text. */
  readonly streamedText: string;
  /** The message below which its request began a branch; null: at the beginning. */
  readonly branchedFrom?: string | null;
  /** It is stored, or is about to be. */
  readonly isAdmitted: boolean;
  /**
   * Seconds in which it or one of its sub-agents was at work: waiting for the person or for a place left out.
   */
  readonly workedSeconds: number;
  /** Ends what is at work: the run took too long. */
  expire(reason: AppError): void;
  emit(event: RunEvent): void;
  /**
   * Changes the record, stores it together with `writes` and what happened since, and tells the listeners
   * when the status changed. Not waited for. `end`: what `end` is about to be called with.
   */
  store(
    changes: Partial<StoredRun>,
    writes?: readonly Write[],
    end?: (record: StoredRun) => RunOutcome,
  ): void;
  /** Stores these with what is stored next, or within a few milliseconds. Not waited for. */
  storeSoon(writes: readonly Write[]): void;
  /** Counts the tokens of a model call, here and for the runs above. */
  addUsage(usage: Usage, isEstimated: boolean): void;
  /** Changes the record without storing it yet. */
  updateRecord(changes: Partial<StoredRun>): void;
  /** Resolves when all that was stored so far is durable; rejects when something could not be stored. */
  flush(): Promise<void>;
  /** Where a call stands. The run waits when one waits for the person and nothing else goes on. */
  setCallState(callId: string, state: "works" | "waits" | "ended"): void;
  /** The provider has begun to answer; `sentTokens`: what it was sent, estimated. */
  onAnswer(model: ModelEntry, sentTokens: number): void;
  /** Forgets what the admission would have written: the run failed before its first sign of life. */
  refuse(): void;
  end(outcome: RunOutcome): void;
}
