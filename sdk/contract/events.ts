import type { ServerEvent } from "./endpoint.ts";
import type { Caller } from "./run.ts";
import type { Services } from "./services.ts";

/** What a reader wants to hear. */
export interface EventRequest {
  /** Kinds of records; absent = all. */
  readonly kinds?: readonly string[];
  /** The id of the last event that the reader has. */
  readonly after?: string;
  /** Hears of nothing that it could not list. */
  readonly caller: Caller;
}

/** Tells readers which records have changed. */
export interface EventService {
  /**
   * Events from `after` on, or from now on, until the signal aborts or the service stops. `services` are
   * those in which the records are read.
   */
  follow(request: EventRequest, services: Services, signal: AbortSignal): AsyncIterable<ServerEvent>;
}
