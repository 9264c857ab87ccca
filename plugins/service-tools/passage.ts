import type { Bench } from "./bench.ts";
import type { CallSetting, ToolRequest } from "./check-call.ts";
import type { Deadline } from "./deadline.ts";

/** What has become of a call so far. */
export interface Progress {
  /** Its operation was begun. */
  begun: boolean;
  /** An earlier approval covered it. */
  granted: boolean;
  /** When that approval ends, ISO 8601 in UTC; null where it has no time. */
  grantedUntil: string | null;
  /** A hook changed its result. */
  shaped: boolean;
}

/** A call on its way through the door. */
export interface Passage {
  readonly parts: Bench;
  readonly request: ToolRequest;
  readonly setting: CallSetting;
  readonly deadline: Deadline;
  readonly progress: Progress;
}
