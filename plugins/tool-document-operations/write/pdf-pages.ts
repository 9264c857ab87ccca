import {
  plainText,
  type Block,
  type Code,
  type Heading,
  type Item,
  type Row,
  type Run,
  type Table,
} from "../markdown/blocks.ts";
import { headingSize, textHeight, textWidth, type Style } from "../style/style.ts";
import type { FontRun, Pdf, PdfFonts } from "./pdf-fonts.ts";

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
      this.#text(block.runs, {
        size,
        colour,
        indent,
      });
      this.#space(size * 0.6);
    }
  }

  get #left(): number {
    return this.#style.margin_left;
  }

  get #width(): number {
    return textWidth(this.#style);
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
    const { font_size, heading_color: colour } = this.#style;
    const size = headingSize(this.#style, level);
    this.#need(this.#lineHeight(size) + 2 * this.#lineHeight(font_size));
    if (this.#pdf.y > this.#style.margin_top) this.#space(size * 0.6);
    this.#pdf.outline.addItem(plainText(runs));
    this.#text(runs, {
      size,
      colour,
      indent: quote * quoteIndent,
      bold: true,
    });
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
    this.#text(runs.length === 0 ? [{ text: " " }] : runs, {
      size,
      colour,
      indent: indent + listIndent,
    });
    this.#space(size * 0.2);
  }

  #code({ text, quote }: Code): void {
    const size = this.#style.font_size * 0.9;
    const setting = {
      size,
      colour: this.#style.text_color,
      indent: quote * quoteIndent + 12,
    };
    for (const line of text.split("\n"))
      this.#text([{ text: line.replaceAll(" ", "\u00a0") || " ", code: true }], setting);
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
      const isLink = link !== undefined;
      this.#pdf.font(font, size).fillColor(isLink ? linkColour : colour);
      this.#pdf.text(text, {
        ...options,
        continued: index < pieces.length - 1,
        link: link ?? null,
        underline: isLink,
        strike,
      });
    });
    this.#pdf.x = this.#left;
  }

  #table({ rows }: Table): void {
    rows.forEach((row, index) => this.#row(row, index === 0));
    this.#pdf.x = this.#left;
    this.#space(this.#style.font_size * 0.8);
  }

  /** A row that is higher than a page becomes paragraphs. */
  #row(row: Row, bold: boolean): void {
    const { font_size: size, text_color: colour } = this.#style;
    const width = this.#width / row.length;
    const padding = Math.min(4, width / 8);
    const cells = row.map((cell) => this.#fonts.runs(plainText(cell) || " ", { bold }));
    const heightOf = (cell: readonly FontRun[]): number => this.#cellHeight(cell, width - 2 * padding, size);
    const height = cells.reduce((most, cell) => Math.max(most, heightOf(cell)), 0) + 2 * padding;
    if (height > textHeight(this.#style)) {
      for (const cell of row)
        this.#text(cell, {
          size,
          colour,
          indent: 0,
          bold,
        });
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
      this.#pdf.x = left + padding;
      this.#pdf.y = top + padding;
      this.#cell(cell, width - 2 * padding, size);
    });
    this.#pdf.y = top + height;
  }

  #cellHeight(cell: readonly FontRun[], width: number, size: number): number {
    const text = cell.map((piece) => piece.text).join("");
    const heightIn = ({ font }: FontRun): number =>
      this.#pdf.font(font, size).heightOfString(text, { width });
    return cell.reduce((most, run) => Math.max(most, heightIn(run)), size);
  }

  #cell(cell: readonly FontRun[], width: number, size: number): void {
    cell.forEach(({ text, font }, index) => {
      this.#pdf.font(font, size).text(text, { width, continued: index < cell.length - 1 });
    });
  }
}
