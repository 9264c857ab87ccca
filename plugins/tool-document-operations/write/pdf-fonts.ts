import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ToolError } from "@pergola/sdk";
import { create, type Font, type FontCollection } from "fontkit";
import type PDFDocument from "pdfkit";
import { invalidValue } from "../invalid-value.ts";
import type { Look } from "../markdown/blocks.ts";
import { isWinAnsi } from "./win-ansi.ts";

export type Pdf = InstanceType<typeof PDFDocument>;
type Class = "sans" | "serif" | "mono";

/** A stretch of text, and the name of a font that has all its characters. */
export interface FontRun {
  readonly text: string;
  readonly font: string;
}

/** Plain, bold, italic and both, of the fonts that every PDF reader has. */
const standard: Readonly<Record<Class, readonly string[]>> = {
  sans: ["Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"],
  serif: ["Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"],
  mono: ["Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"],
};

const embedded: Readonly<Record<Class, readonly string[]>> = {
  sans: ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSans-BoldOblique"],
  serif: ["DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSerif-Italic", "DejaVuSerif-BoldItalic"],
  mono: ["DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSansMono-Oblique", "DejaVuSansMono-BoldOblique"],
};

const classes: readonly (readonly [pattern: RegExp, kind: Class])[] = [
  [/mono|courier|consol|menlo|typewriter|code/i, "mono"],
  [/sans/i, "sans"],
  [/serif|times|roman|georgia|garamond|cambria|palatino|baskerville|bodoni|caslon|minion|book/i, "serif"],
];

const classOf = (family: string): Class => classes.find(([pattern]) => pattern.test(family))?.[1] ?? "sans";
const fontFile = (name: string): string =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

/** Pictures and marks that change them: text says the same without. */
const decoration =
  /^(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Default_Ignorable_Code_Point}|\u20e3)$/u;
const invisible = /^\p{Default_Ignorable_Code_Point}$/u;

/** The font of a file, or the first of a collection, which is chosen by its name. */
function firstFont(file: Font | FontCollection): {
  readonly font: Font;
  readonly family?: string | undefined;
} {
  if (!("fonts" in file)) return { font: file };
  const [font] = file.fonts;
  if (font !== undefined) return { font, family: font.postscriptName ?? undefined };
  throw new ToolError("unavailable", "A font file of tools.document.pdf_fonts holds no font.");
}

/**
 * Finds fonts for text. A document that windows-1252 can hold uses the standard fonts, which need no
 * embedding; any other embeds DejaVu of the same class, and the operator's fonts for what DejaVu lacks.
 */
export class PdfFonts {
  readonly #pdf: Pdf;
  readonly #class: Class;
  readonly #plain: boolean;
  readonly #known = new Map<string, Font>();
  readonly #others: readonly string[] = [];
  /** Characters that no font has. */
  readonly missing = new Set<string>();

  constructor(pdf: Pdf, family: string, text: string, files: readonly Uint8Array[]) {
    this.#pdf = pdf;
    this.#class = classOf(family);
    this.#plain = isWinAnsi(text);
    if (!this.#plain) this.#others = files.map((file, index) => this.#add(`own${index}`, Buffer.from(file)));
  }

  /**
   * The text in stretches of one font each. Ornaments that no font has are left out and noted in `missing`,
   * as all that no font has.
   */
  runs(text: string, look: Look): readonly FontRun[] {
    const main = this.#main(look);
    if (this.#plain) return [{ text, font: main }];
    const candidates = [...new Set([main, this.#load("DejaVuSans"), ...this.#others])];
    const runs: FontRun[] = [];
    for (const character of text) {
      const font = this.#fontWith(character, candidates, runs.at(-1)?.font);
      const last = runs.at(-1);
      if (font === undefined) this.missing.add(character);
      else if (last?.font === font) runs[runs.length - 1] = { font, text: last.text + character };
      else runs.push({ font, text: character });
    }
    return runs;
  }

  /** Throws ToolError `invalid_value` when letters are missing; answers the ornaments that were left out. */
  checkMissing(): readonly string[] {
    const letters = [...this.missing].filter((character) => !decoration.test(character));
    if (letters.length === 0) return [...this.missing].filter((character) => !invisible.test(character));
    throw invalidValue(
      `No font for PDF has these characters: ${letters.slice(0, 12).join(" ")}`,
      "Choose the format docx. Or the person can name a font that " +
        "has them in the setting tools.document.pdf_fonts.",
    );
  }

  #main({ bold = false, italic = false, code = false }: Look): string {
    const kind = code ? "mono" : this.#class;
    const variant = Number(bold) + 2 * Number(italic);
    if (this.#plain) return standard[kind][variant] ?? "Helvetica";
    return this.#load(embedded[kind][variant] ?? "DejaVuSans");
  }

  /** Spaces and marks stay with the font before them, if it has them. */
  #fontWith(
    character: string,
    candidates: readonly string[],
    before: string | undefined,
  ): string | undefined {
    if (character === "\n") return before ?? candidates[0];
    const code = character.codePointAt(0) ?? 0;
    const order = [...candidates];
    if (before !== undefined && /[\s\p{M}]/u.test(character)) order.unshift(before);
    return order.find((name) => this.#known.get(name)?.hasGlyphForCodePoint(code));
  }

  #load(name: string): string {
    return this.#known.has(name) ? name : this.#add(name, readFileSync(fontFile(name)));
  }

  #add(name: string, file: Buffer): string {
    const { font, family } = firstFont(create(file));
    this.#pdf.registerFont(name, file, family);
    this.#known.set(name, font);
    return name;
  }
}
