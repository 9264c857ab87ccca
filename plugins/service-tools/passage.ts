import type { Bench } from "./bench.ts";
import type { CallSetting, ToolRequest } from "./check-call.ts";
import type { Deadline } from "./deadline.ts";

/** A call on its way through the door. */
export interface Passage {
  readonly parts: Bench;
  readonly request: ToolRequest;
  readonly setting: CallSetting;
  readonly deadline: Deadline;
}
