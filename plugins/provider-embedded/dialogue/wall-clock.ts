import type { Clock } from "@pergola/sdk";
import type { ContextBlock } from "./context-block.ts";

/**
 * The person's wall clock as if it were UTC, in milliseconds since 1970: from the context block, else the
 * computer's clock in UTC.
 */
export function wallClock({ facts }: ContextBlock, clock: Clock): number {
  const [, day = "", time = "00:00"] =
    /(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?/.exec(facts.date ?? "") ?? [];
  const milliseconds = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(milliseconds)) return clock.now();
  return milliseconds;
}
