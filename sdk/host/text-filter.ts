/** A piece of a model's text, told apart from what must not reach the person. */
export type TextPiece =
  | { readonly type: "text" | "reasoning" | "title" | "tool_call"; readonly text: string }
  | { readonly type: "stop" };

interface Fence {
  /** Both in lower case; found without regard to case. */
  readonly open: string;
  readonly close: string;
  /** Where it ends: at `close`, and a title at the end of its line. */
  readonly closing: RegExp;
  readonly type: "reasoning" | "title" | "tool_call";
}

const fences: readonly Fence[] = [
  { open: "<think>", close: "</think>", closing: /<\/think>/i, type: "reasoning" },
  { open: "<thinking>", close: "</thinking>", closing: /<\/thinking>/i, type: "reasoning" },
  { open: "<tool_call>", close: "</tool_call>", closing: /<\/tool_call>/i, type: "tool_call" },
  { open: "<!--session:", close: "-->", closing: /-->|(?=\n)/, type: "title" },
];

/**
 * An end without a beginning is cut as well: some templates write the opening tag themselves. A title stands
 * on one line.
 */
const marks = fences.flatMap(({ open, close, type }) => (type === "title" ? [open] : [open, close]));
const mark = new RegExp(marks.join("|"), "i");
const longestTitle = 400;
/** An answer that is nothing but this ends its run. */
export const stopText = '{"status":"stop"}';

/** Controls, and marks that turn the direction of writing; tags (U+E0000 …) stay where they make a flag. */
/* eslint-disable no-control-regex */
const invisible =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f})|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/**
 * What needs a closer look, by code unit: the beginning of a mark, something invisible, or a character that
 * is not whole yet.
 */
const suspicious =
  /[<\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff\udb40]|\udff4$|[\ud800-\udbff]$/;
/* eslint-enable no-control-regex */
/** Half a character, or a flag whose tags may still come. */
const unfinished = /(?:\ud83c\udff4(?:\udb40[\udc20-\udc7e]){0,8}\udb40?|[\ud800-\udbff])$/;

/** How many characters at the end of `text` begin one of the words without completing it. */
function unfinishedLength(text: string, words: readonly string[]): number {
  for (let length = Math.min(text.length, "<!--session".length); length > 0; length--) {
    const tail = text.slice(-length).toLowerCase();
    if (words.some((word) => word.startsWith(tail))) return length;
  }
  return 0;
}

/**
 * Cuts think tags, tool-call text, the title marker, invisible control characters and a lone
 * `{"status":"stop"}` out of a stream of text, however the stream is split, and never splits a character.
 * Joiners that scripts and emoji need (U+200C, U+200D, variation selectors) stay. White space between what
 * was cut and the first word is cut too.
 */
export class TextFilter {
  #unfinished = "";
  #pending = "";
  #fence: Fence | undefined;
  /** What a call or a title holds so far. */
  #inner = "";
  #cut = false;
  /** The text so far while it may still be the stop text; undefined once it cannot be. */
  #opening: string | undefined = "";
  /** The same without white space. */
  #openingWords = "";
  #pieces: TextPiece[] = [];

  push(text: string): readonly TextPiece[] {
    const isWaiting =
      this.#unfinished !== "" ||
      this.#pending !== "" ||
      this.#fence !== undefined ||
      this.#opening !== undefined;
    if (!isWaiting && !suspicious.test(text)) {
      this.#add("text", text);
      return this.#take();
    }
    const whole = this.#unfinished + text;
    this.#unfinished = unfinished.exec(whole)?.[0] ?? "";
    this.#pending += whole.slice(0, whole.length - this.#unfinished.length).replaceAll(invisible, "$1");
    while (this.#step(false));
    return this.#take();
  }

  /** What is still held back when the stream has ended. */
  end(): readonly TextPiece[] {
    this.#pending += this.#unfinished.replaceAll(invisible, "$1");
    while (this.#step(true));
    const opening = this.#opening ?? "";
    const isBlank = this.#cut && opening.trim() === "";
    if (this.#opening !== undefined && this.#openingWords === stopText) this.#pieces.push({ type: "stop" });
    else if (!isBlank) this.#add("text", opening);
    return this.#take();
  }

  /** The text that is held back outside of marks: something that is no text comes next. */
  flush(): readonly TextPiece[] {
    if (this.#fence !== undefined) return [];
    const pieces = this.end();
    this.#unfinished = "";
    this.#opening = undefined;
    return pieces;
  }

  #take(): readonly TextPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Takes what can be told of the pending text; true when there may be more of it. */
  #step(final: boolean): boolean {
    if (this.#fence === undefined) return this.#readOutside(final);
    return this.#readInside(this.#fence, final);
  }

  #readOutside(final: boolean): boolean {
    const { text, found } = this.#takeUntil(mark, final ? [] : marks);
    this.#addText(text);
    if (found === undefined) return false;
    this.#cut = true;
    this.#fence = fences.find(({ open }) => open === found.toLowerCase());
    return true;
  }

  /** Takes the text before the end that is found, else all but what may begin one of the words. */
  #takeUntil(
    end: RegExp,
    words: readonly string[],
  ): { readonly text: string; readonly found: string | undefined } {
    const match = end.exec(this.#pending);
    const found = match?.[0];
    const at = match?.index ?? this.#pending.length - unfinishedLength(this.#pending, words);
    const text = this.#pending.slice(0, at);
    this.#pending = this.#pending.slice(at + (found?.length ?? 0));
    return { text, found };
  }

  /** Thoughts are handed on as they come; calls and titles only whole. */
  #readInside({ type, close, closing }: Fence, final: boolean): boolean {
    const { text, found } = this.#takeUntil(closing, final ? [] : [close]);
    this.#inner += text;
    const isOver = found !== undefined || (type === "title" && this.#inner.length > longestTitle);
    if (isOver) this.#fence = undefined;
    if (!isOver && !final && type !== "reasoning") return false;
    this.#add(type, this.#inner);
    this.#inner = "";
    return isOver;
  }

  #addText(text: string): void {
    if (this.#opening === undefined) return this.#add("text", text);
    if (text === "") return;
    const whole = this.#opening + text;
    this.#opening = whole;
    this.#openingWords += text.replaceAll(/\s/g, "");
    if (stopText.startsWith(this.#openingWords)) return;
    this.#opening = undefined;
    this.#add("text", this.#cut ? whole.trimStart() : whole);
  }

  #add(type: Exclude<TextPiece["type"], "stop">, text: string): void {
    if (text !== "") this.#pieces.push({ type, text });
  }
}
