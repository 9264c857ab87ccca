/**
 * What a document's look is made of, under the names of the parameters that set it. Lengths and sizes are
 * points, colours `#rrggbb`.
 */
export interface StyleFacts {
  readonly font_family?: string;
  readonly font_size?: number;
  readonly heading1_size?: number;
  readonly heading2_size?: number;
  readonly heading3_size?: number;
  readonly text_color?: string;
  readonly heading_color?: string;
  readonly page_width?: number;
  readonly page_height?: number;
  readonly margin_top?: number;
  readonly margin_right?: number;
  readonly margin_bottom?: number;
  readonly margin_left?: number;
  /** 1 = single. */
  readonly line_spacing?: number;
}

export type Style = Required<StyleFacts>;

/**
 * Of a style read from a file: what is absent or makes no sense is left out, and numbers are rounded to
 * hundredths.
 */
export function styleFacts(found: {
  readonly [K in keyof StyleFacts]?: StyleFacts[K] | undefined;
}): StyleFacts {
  const entries = Object.entries(found).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === "string" && value !== "") return [[name, value]];
    return typeof value === "number" && Number.isFinite(value) && value >= 0
      ? [[name, Math.round(value * 100) / 100]]
      : [];
  });
  return Object.fromEntries(entries);
}

/** `#rrggbb` of six hexadecimal digits; undefined for anything else, such as Word's `auto`. */
export const hexColour = (digits: string | undefined): string | undefined =>
  /^[0-9a-f]{6}$/i.test(digits ?? "") ? `#${digits?.toLowerCase()}` : undefined;
