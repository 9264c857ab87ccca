/** To the thread: texts to embed. */
export interface EmbedJob {
  readonly id: number;
  readonly texts: readonly string[];
}

/**
 * From the thread: first `ready` or `failed`, then one answer for each job; `vectors` lie one after the
 * other.
 */
export type ThreadMessage =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "done"; readonly id: number; readonly vectors: Float32Array }
  | { readonly type: "error"; readonly id: number; readonly reason: string };
