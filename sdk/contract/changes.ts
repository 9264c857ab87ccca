import type { Page } from "./page.ts";
import type { Caller } from "./run.ts";

/** What stands at a path. */
export interface FileState {
  readonly kind: "file" | "directory" | "link";
  /**
   * Of a file's bytes, 64 hexadecimal digits; null for what is no file, and for files that are too large to
   * be looked into.
   */
  readonly sha256: string | null;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, as in 0o644; null while nobody knows. */
  readonly mode: number | null;
}

/** A file, folder or link that a call, a command or a revert has changed. */
export interface FileChangeRecord {
  /** `chg_` and 32 hexadecimal digits. */
  readonly id: string;
  /** null for a call by hand, and for a revert. */
  readonly runId: string | null;
  /** The run above all that led to `runId`: of a sub-agent's change, that of the person's conversation. */
  readonly rootRunId: string | null;
  /** null for a revert. */
  readonly callId: string | null;
  /** null but for a revert. */
  readonly revertId: string | null;
  readonly conversationId: string;
  readonly tool: string;
  readonly operation: string;
  /** A real path; of what was renamed, the new one. */
  readonly path: string;
  /** The old path of what was renamed. */
  readonly from: string | null;
  readonly kind: "created" | "modified" | "deleted" | "renamed";
  /** A program that the call ran did it, not the call itself. */
  readonly byProgram: boolean;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /**
   * Lines that came and went, counted when the change was recorded; null where they were not: of what is no
   * text, and of texts that take long to compare.
   */
  readonly additions: number | null;
  readonly deletions: number | null;
  /**
   * `pending` while it is under way; `uncertain` when the service was cut in it and what is there now tells
   * neither yes nor no.
   */
  readonly state: "pending" | "done" | "uncertain";
  /** Why it can never be reverted; null when it can, as long as the file stays as it is. */
  readonly lost: string | null;
  /** The revert that took it back, and is not taken back itself. */
  readonly revertedBy: string | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** Why the list of changes may not be whole. */
export interface ChangeGap {
  readonly callId: string | null;
  readonly reason: string;
  readonly at: string;
}

/** Changes, the newest first, and what may be missing among them. */
export interface ChangePage extends Page<FileChangeRecord> {
  readonly gaps: readonly ChangeGap[];
}

/** What to revert, and how. */
export interface RevertRequest {
  /** Only these, and what lies below them. */
  readonly paths?: readonly string[];
  readonly changeIds?: readonly string[];
  /** Those of sub-agents too; default true. */
  readonly includeAgents?: boolean;
  /** Takes back what can be taken back; else nothing is touched when something is refused. */
  readonly partial?: boolean;
  /** Says what would happen. */
  readonly dryRun?: boolean;
}

/** What a revert did, or would do. */
export interface RevertOutcome {
  /** Nothing was refused. */
  readonly success: boolean;
  /** Under this id the revert is listed, and can be reverted; null when nothing was done. */
  readonly revertId: string | null;
  readonly reverted: readonly {
    readonly path: string;
    readonly action: "restored" | "removed" | "renamed";
    readonly to?: string;
  }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** Folders that were made and stay, since something else is in them. */
  readonly kept: readonly string[];
}

/** What sets two texts apart. */
export interface TextDiff {
  /** One of the two is no text; there are no hunks then. */
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** Not all hunks are here. */
  readonly truncated: boolean;
  readonly hunks: readonly {
    readonly oldStart: number;
    readonly oldLines: number;
    readonly newStart: number;
    readonly newLines: number;
    /** Each begins with a space, `+`, `-` or `\\`. */
    readonly lines: readonly string[];
  }[];
}

/** A diff, or why there is none. */
export interface PreviewDiff {
  readonly diff: TextDiff | null;
  readonly reason: string | null;
}

/** The diff of a change. */
export interface ChangeDiff extends PreviewDiff, Pick<FileChangeRecord, "path" | "from" | "kind"> {
  readonly changeId: string;
}

/** Which diff of a change. */
export interface DiffRequest {
  readonly against: "run" | "now";
  /** With all lines around what changes, not three. */
  readonly whole: boolean;
}

/** The changes of files that calls have made. Ids are those of runs, of calls by hand, and of reverts. */
export interface ChangeService {
  /** Rejects with `not_found`. */
  list(
    of: { readonly includeAgents?: boolean } & (
      { readonly id: string } | { readonly conversationId: string }
    ),
    page: { readonly limit: number; readonly offset: number },
  ): Promise<ChangePage>;
  /**
   * From what stood there before a change to what it left, or (`now`) from what stands there to what a revert
   * leaves. Rejects with `not_found`.
   */
  diff(id: string, request: DiffRequest, caller: Caller): Promise<ChangeDiff>;
  /**
   * What the call of a question would change in a file of its preview, with all lines around that. Rejects
   * with `not_found`.
   */
  previewDiff(approvalId: string, path: string, caller: Caller): Promise<PreviewDiff>;
  /**
   * Rejects with `not_found`, `in_use` while a run works in the conversation, `already_reverted`,
   * `invalid_value`.
   */
  revert(id: string, request: RevertRequest, caller: Caller): Promise<RevertOutcome>;
}
