import type { IStylesOptions } from "docx";
import { colourDigits, headingSize, type Style } from "../style/style.ts";

const halfPoints = (points: number): number => Math.round(points * 2);

/** Word's own styles by their own names, so that the person can change them all at once. */
export function docxStyles(style: Style, monospace: string): IStylesOptions {
  const { font_family: font, font_size, text_color, heading_color, line_spacing } = style;
  const heading = (level: number) => ({
    run: {
      font,
      size: halfPoints(headingSize(style, level)),
      bold: true,
      color: colourDigits(heading_color),
    },
    paragraph: { spacing: { before: 240, after: 120 }, keepNext: true },
  });
  return {
    default: {
      document: {
        run: {
          font,
          size: halfPoints(font_size),
          color: colourDigits(text_color),
        },
        paragraph: { spacing: { line: Math.round(240 * line_spacing), after: 120 } },
      },
      heading1: heading(1),
      heading2: heading(2),
      heading3: heading(3),
      heading4: heading(4),
      heading5: heading(5),
      heading6: heading(6),
    },
    paragraphStyles: [
      {
        id: "Quote",
        name: "Quote",
        basedOn: "Normal",
        run: { italics: true },
      },
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
