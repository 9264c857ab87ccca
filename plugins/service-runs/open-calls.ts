interface OpenCall {
  readonly state: "works" | "waits";
  /** The calls that ask the person for this one. */
  readonly asking: readonly string[];
}

/** The status of a run by what its open calls do. */
const statuses = { works: "running", waits: "waiting" } as const;

/** The tool calls of a run that have not ended. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  /** `asking`: the calls that ask the person for this one; a sub-agent's where it is waited for. */
  set(callId: string, state: "works" | "waits" | "ended", asking: readonly string[]): void {
    if (state === "ended") this.#calls.delete(callId);
    else this.#calls.set(callId, { state, asking });
  }

  get asking(): readonly string[] {
    return [...this.#calls.values()].flatMap(({ asking }) => asking);
  }

  /** They wait when there are some, and all of them wait for the person. */
  get state(): "works" | "waits" {
    const states = [...this.#calls.values()].map(({ state }) => state);
    if (states.length === 0 || states.includes("works")) return "works";
    return "waits";
  }

  get status(): "running" | "waiting" {
    return statuses[this.state];
  }
}
