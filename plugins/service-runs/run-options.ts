import { countOf, type ModelEntry, type RunEvent, type Write } from "@pergola/sdk";
import type { Fence, LeftBranch, StoredRun, Stores } from "@pergola/sdk/host";
import type { RunInProgress } from "./run-in-progress.ts";
import type { StepLog } from "./step-log.ts";

/** The warning of a request that has begun another branch. */
const leftText = ({ messages }: LeftBranch): string =>
  `${countOf(messages, "message")} left the active branch; ` +
  "GET /v1/conversations/{id}/branches lists the branch that holds them.";

/** What a run warns of when it begins. */
export const warningsOf = ({ record, left }: Pick<RunOptions, "record" | "left">): string[] => [
  ...(record.request.warnings ?? []),
  ...(left === undefined ? [] : [leftText(left)]),
];

/** Of the request's messages the record keeps those that are stored nowhere else. */
export function storedForm(record: StoredRun): StoredRun {
  const messages = record.request.messages.filter(({ role }) => role === "system");
  return { ...record, request: { ...record.request, messages } };
}

/** A run's record as it was read, or a new one. */
export type ReadRun = StoredRun & { readonly version?: number };

export interface RunOptions {
  readonly record: StoredRun;
  readonly model: ModelEntry;
  readonly commit: Stores["commit"];
  /** By which its commits are known to be this host's, where there are several. */
  readonly fence: Fence | undefined;
  /** What the first sign of life stores; undefined for a run that is stored already. */
  readonly admission?: readonly Write[];
  /** The run that started this one, while this host works on it. */
  readonly parent: () => RunInProgress | undefined;
  /** What happened before a stop of the service. */
  readonly restored: readonly RunEvent[];
  /** What clients had of its text by then. */
  readonly streamedText?: string;
  readonly keepEvents: boolean;
  readonly steps: StepLog;
  readonly left?: LeftBranch | undefined;
}
