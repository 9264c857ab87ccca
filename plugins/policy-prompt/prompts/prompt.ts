/** A system prompt. Its text never changes while the service runs, so that providers can keep it in their caches. */
export interface Prompt {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Paragraphs; joined by an empty line. */
  readonly parts: readonly string[];
}
