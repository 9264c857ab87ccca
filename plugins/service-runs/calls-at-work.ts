/** The tool calls of a run that have not ended. */
export class CallsAtWork {
  readonly #calls = new Map<string, { readonly waits: boolean; readonly asking: readonly string[] }>();

  /** `asking`: the calls that ask the person for this one; a sub-agent's where it is waited for. */
  set(callId: string, state: "works" | "waits" | "ended", asking: readonly string[]): void {
    if (state === "ended") this.#calls.delete(callId);
    else this.#calls.set(callId, { waits: state === "waits", asking });
  }

  get asking(): readonly string[] {
    return [...this.#calls.values()].flatMap(({ asking }) => asking);
  }

  /** There are some, and all of them wait for the person. */
  get waits(): boolean {
    return this.#calls.size > 0 && [...this.#calls.values()].every(({ waits }) => waits);
  }
}
