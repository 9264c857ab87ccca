import type PDFDocument from "pdfkit";
import {
  plainText,
  type Block,
  type Code,
  type Heading,
  type Item,
  type Run,
  type Table,
} from "../markdown/blocks.ts";
import type { Style } from "../style/style.ts";
import type { FontRun, PdfFonts } from "./pdf-fonts.ts";

type Pdf = InstanceType<typeof PDFDocument>;

interface Setting {
  readonly size: number;
  readonly colour: string;
  /** Points from the left margin. */
  readonly indent: number;
  readonly bold?: boolean;
}

const linkColour = "#0563c1";
const [quoteIndent, listIndent] = [24, 18];

/** Sets blocks one below the other and begins new pages as they are needed. */
export class PdfPages {
  readonly #pdf: Pdf;
  readonly #style: Style;
  readonly #fonts: PdfFonts;

  constructor(pdf: Pdf, style: Style, fonts: PdfFonts) {
    this.#pdf = pdf;
    this.#style = style;
    this.#fonts = fonts;
  }

  add(block: Block): void {
    const { font_size: size, text_color: colour } = this.#style;
    const indent = block.quote * quoteIndent;
    if (block.type === "heading") this.#heading(block);
    else if (block.type === "item") this.#item(block);
    else if (block.type === "table") this.#table(block);
    else if (block.type === "code") this.#code(block);
    else if (block.type === "rule") this.#rule();
    else {
      this.#text(block.runs, { size, colour, indent });
      this.#space(size * 0.6);
    }
  }

  get #left(): number {
    return this.#style.margin_left;
  }

  get #width(): number {
    const { page_width, margin_left, margin_right } = this.#style;
    return page_width - margin_left - margin_right;
  }

  get #bottom(): number {
    return this.#style.page_height - this.#style.margin_bottom;
  }

  #lineHeight(size: number): number {
    return size * 1.2 * this.#style.line_spacing;
  }

  /** Begins a page when less than `height` is left on this one. */
  #need(height: number): void {
    if (this.#pdf.y + height > this.#bottom && this.#pdf.y > this.#style.margin_top) this.#pdf.addPage();
  }

  #space(height: number): void {
    this.#pdf.y = Math.min(this.#pdf.y + height, this.#bottom);
  }

  #heading({ level, runs, quote }: Heading): void {
    const { heading1_size, heading2_size, heading3_size, font_size, heading_color: colour } = this.#style;
    const size = [heading1_size, heading2_size, heading3_size][level - 1] ?? font_size;
    this.#need(this.#lineHeight(size) + 2 * this.#lineHeight(font_size));
    if (this.#pdf.y > this.#style.margin_top) this.#space(size * 0.6);
    this.#pdf.outline.addItem(plainText(runs));
    this.#text(runs, { size, colour, indent: quote * quoteIndent, bold: true });
    this.#space(size * 0.3);
  }

  #item({ depth, marker, runs, quote }: Item): void {
    const { font_size: size, text_color: colour } = this.#style;
    const indent = Math.min(quote * quoteIndent + depth * listIndent, this.#width / 2);
    this.#need(this.#lineHeight(size));
    const top = this.#pdf.y;
    const [sign] = this.#fonts.runs(marker, {});
    if (sign !== undefined && marker !== "")
      this.#pdf
        .font(sign.font, size)
        .fillColor(colour)
        .text(sign.text, this.#left + indent, top, { lineBreak: false });
    this.#pdf.y = top;
    this.#text(runs.length === 0 ? [{ text: " " }] : runs, { size, colour, indent: indent + listIndent });
    this.#space(size * 0.2);
  }

  #code({ text, quote }: Code): void {
    const size = this.#style.font_size * 0.9;
    const runs = text
      .split("\n")
      .map((line): Run => ({ text: line === "" ? " " : line.replaceAll(" ", "\u00a0"), code: true }));
    for (const run of runs)
      this.#text([run], { size, colour: this.#style.text_color, indent: quote * quoteIndent + 12 });
    this.#space(size * 0.6);
  }

  #rule(): void {
    this.#need(12);
    this.#pdf
      .moveTo(this.#left, this.#pdf.y + 4)
      .lineTo(this.#left + this.#width, this.#pdf.y + 4)
      .strokeColor("#999999")
      .lineWidth(0.5)
      .stroke();
    this.#space(14);
  }

  #text(runs: readonly Run[], { size, colour, indent, bold = false }: Setting): void {
    const shift = Math.min(indent, this.#width / 2);
    const pieces = runs.flatMap((run) =>
      this.#fonts.runs(run.text, { ...run, bold: bold || run.bold }).map((piece) => ({ ...run, ...piece })),
    );
    const options = { width: this.#width - shift, lineGap: size * 1.15 * (this.#style.line_spacing - 1) };
    this.#need(this.#lineHeight(size));
    this.#pdf.x = this.#left + shift;
    pieces.forEach(({ text, font, link, strike = false }, index) => {
      this.#pdf.font(font, size).fillColor(link === undefined ? colour : linkColour);
      const more = {
        continued: index < pieces.length - 1,
        link: link ?? null,
        underline: link !== undefined,
        strike,
      };
      this.#pdf.text(text, { ...options, ...more });
    });
    this.#pdf.x = this.#left;
  }

  #table({ rows }: Table): void {
    rows.forEach((row, index) => this.#row(row, index === 0));
    this.#pdf.x = this.#left;
    this.#space(this.#style.font_size * 0.8);
  }

  /** A row that is higher than a page becomes paragraphs. */
  #row(row: readonly (readonly Run[])[], bold: boolean): void {
    const { font_size: size, text_color: colour, margin_top } = this.#style;
    const width = this.#width / row.length;
    const padding = Math.min(4, width / 8);
    const cells = row.map((cell) => this.#fonts.runs(plainText(cell) || " ", { bold }));
    const height =
      Math.max(...cells.map((cell) => this.#cellHeight(cell, width - 2 * padding, size))) + 2 * padding;
    if (height > this.#bottom - margin_top) {
      for (const cell of row) this.#text(cell, { size, colour, indent: 0, bold });
      return;
    }
    this.#need(height);
    const top = this.#pdf.y;
    cells.forEach((cell, column) => {
      const left = this.#left + column * width;
      this.#pdf
        .lineWidth(0.5)
        .strokeColor("#999999")
        .rect(left, top, width, height)
        .stroke()
        .fillColor(colour);
      this.#cell(cell, { left: left + padding, top: top + padding, width: width - 2 * padding }, size);
    });
    this.#pdf.y = top + height;
  }

  #cellHeight(cell: readonly FontRun[], width: number, size: number): number {
    const text = cell.map((piece) => piece.text).join("");
    return Math.max(
      size,
      ...cell.map(({ font }) => this.#pdf.font(font, size).heightOfString(text, { width })),
    );
  }

  #cell(
    cell: readonly FontRun[],
    place: { readonly left: number; readonly top: number; readonly width: number },
    size: number,
  ): void {
    cell.forEach(({ text, font }, index) => {
      const options = { width: place.width, continued: index < cell.length - 1 };
      this.#pdf.font(font, size);
      if (index === 0) this.#pdf.text(text, place.left, place.top, options);
      else this.#pdf.text(text, options);
    });
  }
}
