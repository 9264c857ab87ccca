import type { Caller } from "./run.ts";
import type { Page } from "./page.ts";

/** What a schedule does, and when. Times are ISO 8601 in UTC. */
export interface ScheduleFields {
  /** Of the person: 1 to 200 characters. */
  readonly name: string;
  /** Five fields, minute to day of the week, or a nickname as `@daily`; null where it starts once. */
  readonly cron: string | null;
  /** When it starts once; null where it repeats. */
  readonly at: string | null;
  /** An IANA name, in which `cron` is read. */
  readonly timeZone: string;
  /** The goal of each run. */
  readonly prompt: string;
  /** `default`: the default model of that time. */
  readonly model: string;
  /** null: that of the conversation. */
  readonly workingDirectory: string | null;
  /** Tool families that its runs may use; null: all. */
  readonly tools: readonly string[] | null;
  /** null: as the preferences say. */
  readonly maxIterations: number | null;
  /** What one run may cost, in USD. */
  readonly maxCostUsd: number;
  readonly enabled: boolean;
  /** In which its runs go on; null until the first one makes one. */
  readonly conversationId: string | null;
}

/** Runs that start by themselves at a time, or again and again. */
export interface Schedule extends ScheduleFields {
  /** `sch_` and 32 hexadecimal digits. */
  readonly id: string;
  /** The id of the caller who made it, whose rights its runs have. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly lastRunId: string | null;
  readonly lastFiredAt: string | null;
  /** null: it does not start again. */
  readonly nextAt: string | null;
  /** Starts that were due and did not happen. Of one absence at most 1,000 are counted. */
  readonly missed: number;
  /** Why the last start did not happen. */
  readonly lastError: string | null;
}

/** A schedule to be made: `cron` or `at`, and what its runs are to do and may cost. */
export type ScheduleDraft = Pick<ScheduleFields, "prompt" | "maxCostUsd"> & Partial<ScheduleFields>;

/** Rejections: AppError `not_found`, `invalid_value`, `missing_field`, `model_not_found`. */
export interface ScheduleService {
  /** The oldest first. */
  list(): Promise<Page<Schedule>>;
  get(id: string): Promise<Schedule>;
  create(draft: ScheduleDraft, caller: Caller): Promise<Schedule>;
  /**
   * What is absent stays as it is. Rejects with `insufficient_scope` when the caller may less than who made
   * it, whose rights its runs have, and changes more than whether it is on.
   */
  update(id: string, changes: Partial<ScheduleFields>, caller: Caller): Promise<Schedule>;
  /** A run of it that is at work goes on. */
  delete(id: string): Promise<void>;
}
