import type { ChangeService } from "../contract/changes.ts";
import type { Files, SpawnOptions, SpawnResult } from "../contract/context.ts";
import type { Write } from "../contract/storage.ts";
import type { PreviewedFile } from "../contract/preview.ts";
import type { Effect } from "../contract/tool.ts";
import type { JsonObject } from "../util/json.ts";
import type { RestoringFiles } from "./door.ts";

/** A call whose changes are to be recorded. */
export interface RecordedCall {
  readonly callId: string;
  readonly tool: string;
  readonly operation: string;
  readonly effect: Effect;
  readonly conversationId: string;
  /** Of a sub-agent that of the first run above it; else the same. */
  readonly personsConversationId: string;
  /** The run and those above it, the first of all at the beginning; empty for a call by hand. */
  readonly lineage: readonly string[];
  readonly workingDirectory: string;
  /** Real paths that the call names. */
  readonly paths: readonly string[];
  /** Its plugin may run any program, also by itself; or only through the call's context; or none. */
  readonly programs: "any" | "some" | "none";
}

type Spawn = (program: string, args: readonly string[], options?: SpawnOptions) => Promise<SpawnResult>;

/**
 * Keeps the record of one call. What cannot be recorded is not done: changes reject with AppError
 * `storage_unavailable` then.
 */
export interface CallRecorder {
  files(files: RestoringFiles): RestoringFiles;
  spawn(spawn: Spawn): Spawn;
  /** Before the call runs. Never rejects. */
  begin(): Promise<void>;
  /** After it, however it ended: what its programs have changed is found. Never rejects. */
  end(): Promise<void>;
}

/** What a rehearsed call would leave. */
export interface RehearsedEnd {
  readonly files: readonly PreviewedFile[];
  /** Why not all is shown; null where it is. */
  readonly cut: string | null;
  /** All of it could be taken back. */
  readonly revertible: boolean;
  /** What it rests on: each file that it has read or would change, as it stands on the disk. */
  readonly basis: readonly JsonObject[];
}

/** Files that are read from the disk and changed in memory only. */
export interface Rehearsal {
  readonly files: Files;
  end(): Promise<RehearsedEnd>;
}

/** The record of file changes as the host uses it. */
export interface ChangeKeeper extends ChangeService {
  /** undefined where nothing is to be recorded. */
  recorder(call: RecordedCall): CallRecorder | undefined;
  /** Nothing that is done to its files reaches the disk. */
  rehearse(files: Files): Rehearsal;
  /**
   * Whether what stands at a path is what a call or a revert itself wrote there last, at `since`
   * (milliseconds of the clock) or later, byte for byte.
   */
  isOwnWork(path: string, since: number): Promise<boolean>;
  /** The writes that forget a conversation's changes. What they kept is removed once they are stored. */
  deletionWrites(conversationId: string): Promise<readonly Write[]>;
}
