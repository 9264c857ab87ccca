/** What a step of a run is: something was shaped, chosen, decided, asked, called. */
export type RunStepKind = "shape" | "model" | "authorize" | "ask" | "call" | "result";

/** One step of a run, for who wants to know why it went as it did. Texts are without secrets. */
export interface RunStep {
  /** When it began: ISO 8601 in UTC. */
  readonly at: string;
  /** How long it took; of a question that waits, so far. */
  readonly milliseconds: number;
  /**
   * `shape`: a plugin changed what the model is given; `model`: it was chosen, or it answered; `authorize`: a
   * plugin decided on a tool call; `ask`: the person was asked; `call`: a tool call; `result`: a plugin
   * changed its result.
   */
  readonly kind: RunStepKind;
  /** What happened, in a few words for a person: `Model answered`. */
  readonly title: string;
  /** Whose doing it was; null where it was the host's, or that of a plugin which is gone. */
  readonly plugin: string | null;
  readonly hook: string | null;
  readonly callId: string | null;
  /** What was changed, and what became of it, at most 4,096 characters each; null where nothing changed. */
  readonly before: string | null;
  readonly after: string | null;
  readonly note: string | null;
  /** Of a model call, prompt and answer. */
  readonly tokens: number | null;
  /** USD; null where no price is known. */
  readonly costUsd: number | null;
}
