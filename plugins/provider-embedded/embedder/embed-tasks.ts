/** What the thread of the embedding model does. */
export interface EmbedTasks {
  /** Takes the expected SHA-256 of each model file; answers why the model cannot be loaded, if it cannot. */
  readonly load: { readonly ask: Readonly<Record<string, string>>; readonly answer: string | undefined };
  /** The vectors lie one after the other. */
  readonly embed: { readonly ask: readonly string[]; readonly answer: Float32Array<ArrayBuffer> };
}
