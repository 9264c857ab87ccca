import type { EventSourceMessage } from "eventsource-parser";
import { pathOf } from "./api.ts";
import { waitForNextTry } from "./online.ts";
import { eventsOf, isFinal } from "./stream.ts";
import type { Run } from "./wire.ts";

/** Who draws a run: `begin` comes before the first event, and again when all events are told anew. */
type Follower = Readonly<{ begin: () => void; take: (event: EventSourceMessage) => void }>;

/**
 * Reads a run's events over lost connections, from the first each time: a start of the service may have given
 * numbers anew. Resolves at the run's end, and with false where the service has left it interrupted. Rejects
 * with ApiError where the run cannot be read.
 */
export async function followRun(
  runId: string,
  { begin, take }: Follower,
  stop: AbortSignal,
): Promise<boolean> {
  const path = pathOf(["api", "runs", runId, "events"], { merge: true });
  let [hasEnded, isLeft] = [false, false];
  const note = (event: EventSourceMessage): void => {
    hasEnded ||= event.event === "end";
    if (event.event === "state") isLeft = (JSON.parse(event.data) as Run).status === "interrupted";
    take(event);
  };
  for (;;) {
    begin();
    try {
      for await (const event of eventsOf(stop, path)) note(event);
    } catch (error) {
      if (!stop.aborted && isFinal(error)) throw error;
    }
    if (hasEnded || isLeft || stop.aborted) return hasEnded;
    await waitForNextTry();
  }
}
