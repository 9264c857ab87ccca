const opening = /^\s*\{\s*"input"\s*:\s*"/;
/** What of a JSON string can be read by itself: an escape, a character, or characters without either. */
const unit = new RegExp(
  [
    String.raw`\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}`,
    String.raw`\\u(?!d[89ab])[\da-f]{4}`,
    String.raw`\\[^u]`,
    String.raw`[\ud800-\udbff][\udc00-\udfff]`,
    String.raw`[^"\\\ud800-\udbff]+`,
  ].join("|"),
  "giy",
);
/** Longer than any escape: what is no unit by then is none. */
const longestUnit = 12;
const controls: ReadonlyMap<string, string> = new Map([
  [String.raw`\b`, "\b"],
  [String.raw`\f`, "\f"],
  [String.raw`\n`, "\n"],
  [String.raw`\r`, "\r"],
  [String.raw`\t`, "\t"],
]);

function textOf(found: string): string {
  if (!found.startsWith("\\")) return found;
  if (/^\\u/i.test(found)) return JSON.parse(`"${found}"`) as string;
  return controls.get(found) ?? found.slice(1);
}

/**
 * Reads the free text of a call as it comes: out of `{"input": "…"}`, or as it is from a model that writes no
 * JSON around it. Other JSON is no text that could be read before it is whole.
 */
export class FreeFormReader {
  #pending = "";
  #state: "opening" | "string" | "plain" | "over" = "opening";

  /** The text as far as it is clear with this piece; never half a character. */
  push(piece: string): string {
    this.#pending += piece;
    if (this.#state === "opening") this.#open();
    if (this.#state === "string") return this.#takeString();
    if (this.#state === "opening") return "";
    const pending = this.#pending;
    this.#pending = "";
    if (this.#state === "over") return "";
    return pending;
  }

  #open(): void {
    const begun = opening.exec(this.#pending)?.[0];
    if (begun !== undefined) {
      this.#state = "string";
      this.#pending = this.#pending.slice(begun.length);
      return;
    }
    if ('{"input":"'.startsWith(this.#pending.replaceAll(/\s/g, ""))) return;
    this.#state = this.#pending.trimStart().startsWith("{") ? "over" : "plain";
  }

  #takeString(): string {
    const pending = this.#pending;
    let text = "";
    let at = 0;
    while (at < pending.length && this.#state === "string") {
      unit.lastIndex = at;
      const found = unit.exec(pending)?.[0];
      if (found !== undefined) {
        text += textOf(found);
        at += found.length;
      } else if (pending[at] === '"') this.#state = "over";
      else if (pending.length - at > longestUnit) text += pending[at++];
      else break;
    }
    this.#pending = pending.slice(at);
    return text;
  }
}
