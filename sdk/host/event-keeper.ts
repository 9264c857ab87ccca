import type { EventService } from "../contract/events.ts";

/** Events as the host uses them. */
export interface EventKeeper extends EventService {
  /** Ends all streams. */
  stop(): void;
}
