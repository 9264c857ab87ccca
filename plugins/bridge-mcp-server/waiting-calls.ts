import { isDeepStrictEqual } from "node:util";
import type { Caller, JsonObject } from "@pergola/sdk";
import type { CallInRounds } from "./call-in-rounds.ts";
import { sameCaller } from "./same-caller.ts";

/** Who called what. */
export interface Origin {
  readonly caller: Caller;
  readonly name: string;
  readonly args: JsonObject;
}

interface WaitingCall extends Origin {
  readonly call: CallInRounds;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** At the same time, and milliseconds after which a call is cancelled whose client does not come back. */
const [mostCalls, longestWait] = [256, 30 * 60_000];

/**
 * Calls whose client has gone to ask its person. The state that it gets is a name for the call which nobody
 * can guess; it opens nothing but this call, for its own caller, and once.
 */
export class WaitingCalls {
  readonly #waiting = new Map<string, WaitingCall>();

  /** Keeps a call, and gives the state by which it is found again. */
  keep(call: CallInRounds, origin: Origin): string {
    const state = crypto.randomUUID();
    this.#waiting.set(state, { ...origin, call, since: Date.now() });
    const [oldest = state] = this.#waiting.keys();
    if (this.#waiting.size > mostCalls) this.#end(oldest);
    return state;
  }

  /** The call that was kept, which is then no longer; undefined where the same was not called. */
  take(state: string, { caller, name, args }: Origin): CallInRounds | undefined {
    const kept = this.#waiting.get(state);
    if (kept === undefined || !sameCaller(kept.caller, caller)) return undefined;
    if (kept.name !== name || !isDeepStrictEqual(kept.args, args)) return undefined;
    this.#waiting.delete(state);
    return kept.call;
  }

  endIdle(): void {
    for (const [state, { since }] of this.#waiting) if (Date.now() - since > longestWait) this.#end(state);
  }

  close(): void {
    for (const state of this.#waiting.keys()) this.#end(state);
  }

  #end(state: string): void {
    this.#waiting.get(state)?.call.cancel();
    this.#waiting.delete(state);
  }
}
