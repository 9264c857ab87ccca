import type { StyleFacts } from "../style/style.ts";

type Sizes = Pick<StyleFacts, "font_size" | "heading1_size" | "heading2_size" | "heading3_size">;

/** Tells body text and headings apart by how many characters have which size. */
export class FontSizes {
  readonly #characters = new Map<number, number>();

  add(points: number, characters: number): void {
    const size = Math.round(points * 10) / 10;
    if (size > 0 && characters > 0)
      this.#characters.set(size, (this.#characters.get(size) ?? 0) + characters);
  }

  /** The size that most characters have is the body's; the largest ones above it are the headings'. */
  facts(): Sizes {
    const [body] = [...this.#characters].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    if (body === undefined) return {};
    const larger = [...this.#characters.keys()].filter((size) => size > body).toSorted((a, b) => b - a);
    const names = ["heading1_size", "heading2_size", "heading3_size"] as const;
    const headings = larger.slice(0, 3).map((size, index): [string, number] => [names[index] ?? "", size]);
    return { font_size: body, ...Object.fromEntries(headings) };
  }
}
