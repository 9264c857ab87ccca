import type { RunEvent } from "@pergola/sdk";

/** What happens without anything to see for a client that waits for the whole answer. */
export const quietEvents: ReadonlySet<RunEvent["type"]> = new Set([
  "state",
  "text",
  "reasoning",
  "title",
  "caller_call_begun",
  "caller_call_delta",
  "caller_call",
  "end",
]);
