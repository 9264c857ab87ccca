/** A piece of a model's text, told apart from what must not reach the person. */
export type TextPiece =
  | { readonly type: "text" | "reasoning" | "title" | "tool_call"; readonly text: string }
  | { readonly type: "stop" };

interface Fence {
  readonly open: string;
  readonly close: string;
  readonly type: "reasoning" | "title" | "tool_call";
}

const fences: readonly Fence[] = [
  { open: "<think>", close: "</think>", type: "reasoning" },
  { open: "<thinking>", close: "</thinking>", type: "reasoning" },
  { open: "<tool_call>", close: "</tool_call>", type: "tool_call" },
  { open: "<!--session:", close: "-->", type: "title" },
];

const stopText = '{"status":"stop"}';
const suspicious = /[<\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/;
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** How many characters at the end of `text` begin `mark` without completing it. */
function heldBack(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

/**
 * Cuts think tags, tool-call text, the title marker, invisible control characters and a lone `{"status":"stop"}` out of a stream of text,
 * however the stream is split. Joiners that scripts and emoji need (U+200C, U+200D, variation selectors) stay.
 */
export class TextFilter {
  #held = "";
  #fence: Fence | undefined;
  #mayBeStop = true;

  push(text: string): readonly TextPiece[] {
    if (this.#held === "" && this.#fence === undefined && !this.#mayBeStop && !suspicious.test(text)) return [{ type: "text", text }];
    this.#held += text;
    return this.#drain(false);
  }

  /** What is still held back when the stream has ended. */
  end(): readonly TextPiece[] {
    return this.#drain(true);
  }

  #drain(final: boolean): readonly TextPiece[] {
    const pieces: TextPiece[] = [];
    if (this.#mayBeStop && this.#fence === undefined && this.#waitsForStop(final, pieces)) return pieces;
    while (this.#held !== "" && this.#step(final, pieces));
    return pieces;
  }

  /** True while all text so far may still turn out to be the stop text, or is it. */
  #waitsForStop(final: boolean, pieces: TextPiece[]): boolean {
    const bare = this.#held.replaceAll(/\s/g, "");
    if (bare === stopText && final) {
      this.#held = "";
      pieces.push({ type: "stop" });
      return true;
    }
    if (stopText.startsWith(bare) && !final) return true;
    if (bare !== "" && !bare.startsWith("<")) this.#mayBeStop = false;
    return false;
  }

  #step(final: boolean, pieces: TextPiece[]): boolean {
    return this.#fence === undefined ? this.#outside(final, pieces) : this.#inside(this.#fence, final, pieces);
  }

  #outside(final: boolean, pieces: TextPiece[]): boolean {
    let fence: Fence | undefined;
    let at = this.#held.length;
    for (const candidate of fences) {
      const index = this.#held.indexOf(candidate.open);
      if (index >= 0 && index < at) [fence, at] = [candidate, index];
    }
    const held = fence !== undefined || final ? 0 : Math.max(...fences.map(({ open }) => heldBack(this.#held, open)));
    this.#give("text", this.#held.slice(0, at - held), pieces);
    this.#held = this.#held.slice(fence === undefined ? at - held : at + fence.open.length);
    this.#fence = fence;
    return fence !== undefined;
  }

  #inside(fence: Fence, final: boolean, pieces: TextPiece[]): boolean {
    const at = this.#held.indexOf(fence.close);
    if (at < 0 && fence.type !== "reasoning" && !final) return false;
    const held = at >= 0 || final ? 0 : heldBack(this.#held, fence.close);
    const end = at < 0 ? this.#held.length - held : at;
    this.#give(fence.type, this.#held.slice(0, end), pieces);
    this.#held = this.#held.slice(at < 0 ? end : at + fence.close.length);
    if (at >= 0) this.#fence = undefined;
    return at >= 0;
  }

  #give(type: "text" | Fence["type"], raw: string, pieces: TextPiece[]): void {
    const text = suspicious.test(raw) ? raw.replaceAll(invisible, "") : raw;
    if (type === "text" && text.trim() !== "") this.#mayBeStop = false;
    if (text !== "") pieces.push({ type, text });
  }
}
