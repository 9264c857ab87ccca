import type { Json } from "../util/json.ts";

/** An answer held against the form that it was to have. */
export interface CheckedOutput {
  /** As the caller gets it: JSON, without a code fence around it. */
  readonly text: string;
  /** What is wrong with it, at most ten sentences without an end; empty where it has the form. */
  readonly faults: readonly string[];
  /** The model may do better. False where the check itself came to no end. */
  readonly canRepair: boolean;
}

/** The form that a request asks its answer to have. */
export interface OutputForm {
  /** An answer without the form is a failure of its run. */
  readonly strict: boolean;
  /** What the model is told of the form before it answers. */
  readonly words: string;
  check(text: string, signal: AbortSignal): Promise<CheckedOutput>;
  /** What the model is told of an answer with these faults. */
  objection(faults: readonly string[]): string;
}

/** Holds answers to what their requests ask for with `response_format`. */
export interface OutputKeeper {
  /**
   * Undefined where any text will do. Rejects with `invalid_value`, which names the place, for a schema that
   * no answer can be checked against.
   */
  open(responseFormat: Json | undefined, signal: AbortSignal): Promise<OutputForm | undefined>;
}
