import type { Chunk } from "./read-events.ts";
import { readable, styled, visible } from "./visible.ts";

const marks: Readonly<Record<string, string>> = {
  running: "…",
  success: "✓",
  error: "✗",
  userInputRequired: "?",
  queued: "·",
};

function card(chunk: Chunk): string {
  const { toolStatus = "", toolDisplayData, toolDetails, toolMetadata = {} } = chunk;
  const { duration_ms: duration, error_code: code } = toolMetadata;
  const mark = marks[toolStatus] ?? toolStatus;
  const summary = toolDetails?.[0] ?? toolDisplayData?.summary ?? "";
  const parts = [mark, `${chunk.toolName}.${chunk.toolOperation}`, summary];
  if (duration !== undefined) parts.push(`${duration} ms`);
  if (code) parts.push(code);
  return visible(parts.join(" "));
}

/**
 * An answer as it comes: the words go to stdout, the steps beside them to stderr; with `json` every chunk is
 * a line of stdout.
 */
export class Screen {
  readonly #json: boolean;
  #atLineStart = true;
  #held: Chunk[] | undefined;

  constructor(json: boolean) {
    this.#json = json;
  }

  show(chunk: Chunk): void {
    if (this.#held !== undefined) return void this.#held.push(chunk);
    if (this.#json) return void process.stdout.write(`${JSON.stringify(chunk)}\n`);
    const content = chunk.choices?.[0]?.delta.content ?? "";
    if (chunk.isToolMessage === true) this.line(styled("dim", card(chunk)));
    if (content === "") return;
    process.stdout.write(readable(content));
    this.#atLineStart = content.endsWith("\n");
  }

  /** A line of its own, beside the answer. */
  line(text: string): void {
    if (process.stdout.isTTY) this.end();
    process.stderr.write(`${text}\n`);
  }

  /** Keeps back what comes until `release`, so that a question has the terminal to itself. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const buffered = this.#held ?? [];
    this.#held = undefined;
    for (const chunk of buffered) this.show(chunk);
  }

  end(): void {
    if (!this.#atLineStart && !this.#json) process.stdout.write("\n");
    this.#atLineStart = true;
  }
}
