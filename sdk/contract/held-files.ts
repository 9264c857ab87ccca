import type { Caller } from "./run.ts";

/**
 * A file or folder that appeared under a protected name while a program ran. It lies where no other program
 * executes or trusts it.
 */
export interface HeldFile {
  /** `held_` and 32 hexadecimal digits. */
  readonly id: string;
  /** Where it appeared: a real path. */
  readonly path: string;
  readonly callId: string;
  /** null for a call by hand. */
  readonly runId: string | null;
  readonly tool: string;
  readonly operation: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/**
 * Files that appeared under protected names and were moved away, until the person decides or
 * `tools.file.backup_days` (at least one) have passed. A caller with a folder of its own sees only what
 * appeared in it.
 */
export interface HeldFileService {
  /** The newest first. */
  list(caller: Caller): Promise<readonly HeldFile[]>;
  /**
   * Puts it back where it appeared. Rejects with `not_found`, and with `conflict` when something else is
   * there or the way there leads elsewhere now.
   */
  restore(id: string, caller: Caller): Promise<HeldFile>;
  /** Throws it away. Rejects with `not_found`. */
  remove(id: string, caller: Caller): Promise<HeldFile>;
}
