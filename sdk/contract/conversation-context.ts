/** What the last model call of a run saw. Tokens are estimated. */
export interface ConversationContext {
  readonly runId: string;
  /** The full id of the model for which the call was made. */
  readonly model: string;
  /** Tokens: the model's context, or less where the conversation wants less. */
  readonly contextWindow: number;
  /** Of these, what may be sent. */
  readonly usable: number;
  /** Of all that was sent. */
  readonly estimatedTokens: number;
  /** Each kind once; `text` where it was asked for and stands today as it did then, without secrets. */
  readonly parts: readonly {
    readonly kind:
      "system" | "personality" | "tools" | "block" | "memories" | "summary" | "history" | "reserve";
    /** What it is, in a few words for a person: `System prompt`. */
    readonly title: string;
    readonly tokens: number;
    readonly text?: string;
  }[];
  /** Those of the branch up to the call, in order. `pinned`: in sight, though others around it were not. */
  readonly messages: readonly {
    readonly messageId: string;
    readonly tokens: number;
    readonly state: "whole" | "pinned" | "left_out";
  }[];
  /** The records of what was left out, in order; `summary` without secrets. */
  readonly archives: readonly {
    readonly id: string;
    readonly from: string;
    readonly to: string;
    readonly messages: number;
    readonly summary: string;
  }[];
  readonly memories: readonly { readonly id: string; readonly similarity: number | null }[];
}
