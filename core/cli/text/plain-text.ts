/** Where an answer is written as it comes. */
export interface AnswerText {
  /** Whether what comes next begins a line. */
  readonly atLineStart: boolean;
  push(text: string): void;
  /** Ends the line that was begun. */
  end(): void;
}

/** An answer as it is, for a file or a pipe. */
export class PlainText implements AnswerText {
  #atLineStart = true;

  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  push(text: string): void {
    process.stdout.write(text);
    this.#atLineStart = text.endsWith("\n");
  }

  end(): void {
    if (!this.#atLineStart) process.stdout.write("\n");
    this.#atLineStart = true;
  }
}
