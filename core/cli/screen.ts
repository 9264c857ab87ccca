import type { KeptKeys } from "./kept-keys.ts";
import type { Chunk } from "./read-events.ts";
import type { AnswerText } from "./text/plain-text.ts";
import { Spinner } from "./text/spinner.ts";
import { readable, styled, visible } from "./visible.ts";

const marks: Readonly<Record<string, string>> = {
  running: "…",
  success: "✓",
  error: "✗",
  userInputRequired: "?",
  queued: "·",
};

/** Whether a person sees both streams. */
export const isAtTerminal = (): boolean => process.stdout.isTTY && process.stderr.isTTY;

/** A step in one line, whatever its call and its result consist of. */
function card(chunk: Chunk): string {
  const { toolStatus = "", toolDisplayData, toolDetails, toolMetadata = {} } = chunk;
  const { duration_ms: duration, error_code: code } = toolMetadata;
  const mark = marks[toolStatus] ?? toolStatus;
  const summary = toolDetails?.[0] ?? toolDisplayData?.summary ?? "";
  const parts = [mark, `${chunk.toolName}.${chunk.toolOperation}`, summary];
  if (duration !== undefined) parts.push(`${duration} ms`);
  if (code) parts.push(code);
  return visible(parts.join(" ")).replaceAll(/\s+/g, " ");
}

/** What goes on and what a question repeats: at a terminal the spinner and the question show it. */
const passing = new Set(["queued", "running", "userInputRequired"]);

/**
 * An answer as it comes: the words go to stdout, the steps to stderr; with `json` every chunk is a line of
 * stdout. At a terminal, the words are shown as Markdown, and a spinner tells that something goes on.
 */
export class Screen {
  readonly #json: boolean;
  readonly #text: AnswerText;
  readonly #spinner: Spinner | undefined;
  #isEnded = false;
  #label = "Thinking";
  #buffered: Chunk[] | undefined;
  readonly #keys: KeptKeys | undefined;

  /** `keys`: kept meanwhile, but for those that answer a question. */
  constructor(json: boolean, text: AnswerText, keys?: KeptKeys) {
    this.#json = json;
    this.#text = text;
    this.#keys = keys;
    if (!json && isAtTerminal()) this.#spinner = new Spinner();
    this.#spin();
  }

  show(chunk: Chunk): void {
    if (this.#buffered !== undefined) return void this.#buffered.push(chunk);
    if (this.#json) return void process.stdout.write(`${JSON.stringify(chunk)}\n`);
    const content = chunk.choices?.[0]?.delta.content ?? "";
    if (chunk.isToolMessage === true) this.#showStep(chunk);
    if (content === "") return;
    this.#spinner?.hide();
    this.#text.push(readable(content));
    this.#label = "Thinking";
    this.#spin();
  }

  /** A line of its own, apart from the answer. */
  line(text: string): void {
    this.#spinner?.hide();
    if (process.stdout.isTTY && !this.#json) this.#text.end();
    process.stderr.write(`${text}\n`);
    this.#spin();
  }

  /** Keeps back what comes until `release`, so that a question has the terminal to itself. */
  hold(): void {
    this.#spinner?.hide();
    this.#keys?.end();
    this.#buffered = [];
  }

  release(): void {
    const buffered = this.#buffered ?? [];
    this.#buffered = undefined;
    this.#keys?.begin();
    for (const chunk of buffered) this.show(chunk);
    this.#spin();
  }

  end(): void {
    this.#isEnded = true;
    this.#spinner?.hide();
    if (!this.#json) this.#text.end();
  }

  #showStep(chunk: Chunk): void {
    const text = card(chunk);
    this.#label = passing.has(chunk.toolStatus ?? "") ? text.replace(/^\S+ /, "") : "Thinking";
    if (this.#spinner !== undefined && passing.has(chunk.toolStatus ?? "")) return this.#spin();
    this.line(styled("dim", text));
  }

  #spin(): void {
    const isFree = this.#buffered === undefined && !this.#isEnded && this.#text.atLineStart;
    if (isFree) this.#spinner?.show(this.#label);
  }
}
