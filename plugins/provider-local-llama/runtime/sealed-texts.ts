/** Private-use characters that enclose a number; taken out of what comes from outside. */
const [open, close] = ["\ue0f0", "\ue0f1"];
const seal = new RegExp(`${open}(\\d+)${close}`);
const stray = new RegExp(`[${open}${close}]`, "g");
/** Only such a text can hold the marks by which a vocabulary tells who speaks. */
const risky = /[<[]/;

export interface Piece {
  readonly text: string;
  /** Whether the model's own marks may be read in it. */
  readonly trusted: boolean;
}

/**
 * Texts that a template shall put in, but not read: each stands in the template's input as a number in seals,
 * and is put back when the template has been rendered, so that no message can write another speaker's marks.
 */
export class SealedTexts {
  readonly #texts: string[] = [];

  /** `json`: the template writes it within quotes. */
  seal(text: string, json = false): string {
    const clean = text.replaceAll(stray, "");
    if (!risky.test(clean)) return clean;
    const put = json ? JSON.stringify(clean).slice(1, -1) : clean;
    return `${open}${this.#texts.push(put) - 1}${close}`;
  }

  /** A JSON value, each text in it sealed. */
  sealAll(value: unknown): unknown {
    if (typeof value === "string") return this.seal(value, true);
    if (Array.isArray(value)) return value.map((each) => this.sealAll(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key.replaceAll(stray, ""), this.sealAll(each)]),
    );
  }

  open(rendered: string): readonly Piece[] {
    return rendered
      .split(seal)
      .map((text, index) => {
        const trusted = index % 2 === 0;
        if (trusted) return { text, trusted };
        return { text: this.#texts[Number(text)] ?? "", trusted };
      })
      .filter(({ text }) => text !== "");
  }
}
