import { defined } from "@pergola/sdk";
import type { StyleFacts } from "../style/style.ts";
import { addCount, mostFrequent } from "./most-frequent.ts";

type Sizes = Pick<StyleFacts, "font_size" | "heading1_size" | "heading2_size" | "heading3_size">;

/** Tells body text and headings apart by how many characters have which size. */
export class FontSizes {
  readonly #characters = new Map<number, number>();

  add(points: number, characters: number): void {
    const size = Math.round(points * 10) / 10;
    if (size > 0 && characters > 0) addCount(this.#characters, size, characters);
  }

  /** The size that most characters have is the body's; the largest ones above it are the headings'. */
  facts(): Sizes {
    const body = mostFrequent(this.#characters);
    if (body === undefined) return {};
    const larger = [...this.#characters.keys()].filter((size) => size > body).toSorted((a, b) => b - a);
    const [heading1_size, heading2_size, heading3_size] = larger;
    return defined({ font_size: body, heading1_size, heading2_size, heading3_size });
  }
}
