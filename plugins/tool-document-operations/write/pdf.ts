import { defined } from "@pergola/sdk";
import PDFDocument from "pdfkit";
import { invalidValue } from "../invalid-value.ts";
import { plainText, type Block, type Run } from "../markdown/blocks.ts";
import { PdfFonts, type Pdf } from "./pdf-fonts.ts";
import { PdfPages } from "./pdf-pages.ts";
import { hasRightToLeft } from "./right-to-left.ts";
import type { Manuscript, Writer } from "./write-job.ts";

function runsOf(block: Block): readonly Run[] {
  if (block.type === "item") return [{ text: block.marker }, ...block.runs];
  if (block.type === "table") return block.rows.flat(2);
  if (block.type === "code") return [{ text: block.text }];
  if (block.type === "rule") return [];
  return block.runs;
}

/** All text of a document: what its fonts must be able to show. */
const allText = (blocks: readonly Block[]): string =>
  blocks.map((block) => plainText(runsOf(block))).join("\n");

function open({ title, author, description, created, style }: Manuscript): Pdf {
  return new PDFDocument({
    size: [style.page_width, style.page_height],
    margins: {
      top: style.margin_top,
      right: style.margin_right,
      bottom: style.margin_bottom,
      left: style.margin_left,
    },
    info: defined({
      Title: title || undefined,
      Author: author || undefined,
      Subject: description || undefined,
      CreationDate: new Date(created),
      Creator: "Pergola",
      Producer: "Pergola",
    }),
    pdfVersion: "1.7",
    displayTitle: title !== "",
  });
}

function finish(pdf: Pdf): Promise<Buffer> {
  const pieces: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on("data", (piece: Buffer) => pieces.push(piece));
    pdf.on("end", () => resolve(Buffer.concat(pieces)));
    pdf.on("error", reject);
    pdf.end();
  });
}

/** Throws ToolError `invalid_value` for text that the fonts or the library cannot set right. */
export const writePdf: Writer = async (manuscript) => {
  const { blocks, style, fonts: files } = manuscript;
  const text = allText(blocks);
  if (hasRightToLeft(text))
    throw invalidValue(
      "PDF cannot be made with text that runs from right to left.",
      "Choose the format docx.",
    );
  const pdf = open(manuscript);
  const fonts = new PdfFonts(pdf, style.font_family, text, files);
  const pages = new PdfPages(pdf, style, fonts);
  for (const block of blocks) pages.add(block);
  const lost = fonts.checkMissing();
  const bytes = await finish(pdf);
  if (lost.length === 0) return { bytes };
  return { bytes, notes: [`No font has these signs, which were left out: ${lost.slice(0, 12).join(" ")}`] };
};
