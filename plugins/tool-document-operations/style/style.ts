import { defined, type FromProperties } from "@pergola/sdk";
import type { styleParameters } from "../parameters.ts";

/**
 * What a document's look is made of, under the names of the parameters that set it. Lengths and sizes are
 * points, colours `#rrggbb`; a `line_spacing` of 1 is single.
 */
export type StyleFacts = FromProperties<typeof styleParameters, never>;

export type Style = Required<StyleFacts>;

/** Points between the left and the right margin. */
export const textWidth = ({ page_width, margin_left, margin_right }: Style): number =>
  page_width - margin_left - margin_right;

/** Points between the upper and the lower margin. */
export const textHeight = ({ page_height, margin_top, margin_bottom }: Style): number =>
  page_height - margin_top - margin_bottom;

/** The size of a heading's level, from 1 on. */
export function headingSize(style: Style, level: number): number {
  const sizes = [style.heading1_size, style.heading2_size, style.heading3_size];
  return sizes[level - 1] ?? style.font_size;
}

/** Twentieths of a point, as Word and RTF count. */
export const twips = (points: number): number => Math.round(points * 20);

/** A colour without `#`, as Word and PowerPoint write it. */
export const colourDigits = (colour: string): string => colour.slice(1);

function storedValue(value: unknown): string | number | undefined {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return Math.round(value * 100) / 100;
}

/**
 * The style of a file without what is absent or makes no sense; numbers are rounded to hundredths.
 */
export function styleFacts(found: {
  readonly [K in keyof StyleFacts]?: StyleFacts[K] | undefined;
}): StyleFacts {
  const values = Object.entries(found).map(([name, value]) => [name, storedValue(value)]);
  return defined(Object.fromEntries(values));
}

/** `#rrggbb` of six hexadecimal digits; undefined for anything else, such as Word's `auto`. */
export function hexColour(digits = ""): string | undefined {
  if (/^[0-9a-f]{6}$/i.test(digits)) return `#${digits.toLowerCase()}`;
  return undefined;
}
