import type { ModelEvent } from "../contract/provider.ts";

/** One JSON object of an answer; nothing is known of what it holds. */
export type AnswerPart = Readonly<Record<string, unknown>>;

/** Why an answer is none. */
export type AnswerFault =
  /**
   * An error object, as `FailureOptions.read` understands it, and the status it stands for where it does not
   * tell.
   */
  | { readonly error: unknown; readonly status?: number }
  /** The model gave up, and may do better when it is asked again. */
  | { readonly unfinished: string; readonly message?: string }
  /** A part that does not fit to those before it: something was lost. */
  | { readonly damaged: AnswerPart };

/**
 * Understands one wire format: tells the `AnswerEvents` that it was made with what the parts of one answer
 * mean.
 */
export interface PartReader {
  /** Data that is no part and says that nothing more comes, as `[DONE]`. */
  readonly endMark?: string;
  /** The answer is whole, even if nothing more comes. */
  readonly finished: boolean;
  /** Nothing more is to come, not even usage; absent where only the end of the body tells. */
  readonly complete?: boolean;
  readonly fault?: AnswerFault | undefined;
  /** False for what only keeps the connection alive. */
  read(part: AnswerPart): boolean;
  /** An answer in one document, of a server that does not stream; false for what is no answer. */
  readWhole(document: AnswerPart): boolean;
  /** What comes last: usage and `end`. */
  end(): readonly ModelEvent[];
}
