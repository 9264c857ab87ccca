import type { IStylesOptions } from "docx";
import type { Style } from "../style/style.ts";

const digits = (colour: string): string => colour.slice(1);
const halfPoints = (points: number): number => Math.round(points * 2);

/** Word's own styles by their own names, so that the person can change them all at once. */
export function docxStyles(style: Style, monospace: string): IStylesOptions {
  const { font_family: font, font_size, text_color, heading_color, line_spacing } = style;
  const heading = (points: number) => ({
    run: { font, size: halfPoints(points), bold: true, color: digits(heading_color) },
    paragraph: { spacing: { before: 240, after: 120 }, keepNext: true },
  });
  return {
    default: {
      document: {
        run: { font, size: halfPoints(font_size), color: digits(text_color) },
        paragraph: { spacing: { line: Math.round(240 * line_spacing), after: 120 } },
      },
      heading1: heading(style.heading1_size),
      heading2: heading(style.heading2_size),
      heading3: heading(style.heading3_size),
      heading4: heading(font_size),
      heading5: heading(font_size),
      heading6: heading(font_size),
    },
    paragraphStyles: [
      { id: "Quote", name: "Quote", basedOn: "Normal", run: { italics: true } },
      {
        id: "Code",
        name: "Code",
        basedOn: "Normal",
        run: { font: monospace, size: halfPoints(font_size * 0.9) },
        paragraph: { spacing: { after: 0 } },
      },
    ],
  };
}
