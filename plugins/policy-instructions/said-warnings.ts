/** Conversations whose warnings are remembered. */
const most = 1000;

/** What a conversation has been told of is not said again in each of its answers. */
export class SaidWarnings {
  readonly #said = new Map<string, ReadonlySet<string>>();

  /** Those that the conversation's last run did not have. */
  fresh(conversationId: string, warnings: readonly string[]): readonly string[] {
    const before = this.#said.get(conversationId);
    this.#said.delete(conversationId);
    this.#said.set(conversationId, new Set(warnings));
    const [oldest = ""] = this.#said.keys();
    if (this.#said.size > most) this.#said.delete(oldest);
    return warnings.filter((warning) => before?.has(warning) !== true);
  }

  forget(conversationId: string): void {
    this.#said.delete(conversationId);
  }
}
