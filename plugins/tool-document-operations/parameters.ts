/** The document that an operation reads, with the other spellings of the parameter. */
export const path = <const A extends readonly string[]>(...aliases: A) =>
  ({
    type: "string",
    format: "path",
    description: "Path, or URL to import",
    aliases,
  }) as const;

const number = { type: "number" } as const;

/**
 * How a document looks, under the names that the style of an imported document has too. Ranges are checked
 * together, for they depend on each other.
 */
export const styleParameters = {
  font_family: { type: "string" },
  font_size: { ...number, description: "Sizes and lengths are points" },
  heading1_size: number,
  heading2_size: number,
  heading3_size: number,
  text_color: { type: "string", description: "#rrggbb" },
  heading_color: { type: "string" },
  page_width: { ...number, description: "Default 612" },
  page_height: { ...number, description: "Default 792" },
  margin_top: { ...number, description: "Default 72" },
  margin_right: number,
  margin_bottom: number,
  margin_left: number,
  line_spacing: number,
} as const;
