import { plainText, type Block, type Table } from "../markdown/blocks.ts";
import type { Writer } from "./write-job.ts";

const width = (text: string): number => [...text].length;
const cellText = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function tableText({ rows }: Table): string {
  const texts = rows.map((row) => row.map((cell) => cellText(plainText(cell))));
  const widths = (texts[0] ?? []).map((_, column) =>
    texts.reduce((most, row) => Math.max(most, width(row[column] ?? "")), 0),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd();
  const [head = [], ...rest] = texts;
  return [line(head), widths.map((wide) => "-".repeat(wide)).join("  "), ...rest.map(line)].join("\n");
}

const underlines: readonly string[] = ["=", "-"];

function headingText(text: string, level: number): string {
  const underline = underlines[level - 1];
  return underline === undefined ? text : `${text}\n${underline.repeat(Math.max(1, width(text)))}`;
}

function indented(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => line && by + line)
    .join("\n");
}

function blockText(block: Block): string {
  if (block.type === "heading") return headingText(plainText(block.runs), block.level);
  if (block.type === "paragraph") return plainText(block.runs);
  if (block.type === "item")
    return indented(`${block.marker} ${plainText(block.runs)}`.trimEnd(), "  ".repeat(block.depth));
  if (block.type === "table") return tableText(block);
  return block.type === "code" ? indented(block.text, "    ") : "-".repeat(20);
}

/** What separates a block from the one before it: the items of a list follow each other. */
function gapBetween(before: Block | undefined, { type }: Block): string {
  if (before === undefined) return "";
  return type === "item" && before.type === "item" ? "\n" : "\n\n";
}

/** The text without its markup: headings are underlined, tables are aligned, code is indented. */
export const writeTxt: Writer = async ({ blocks }) => {
  let text = "";
  blocks.forEach((block, index) => {
    text += gapBetween(blocks[index - 1], block);
    text += indented(blockText(block), "> ".repeat(block.quote));
  });
  return { bytes: Buffer.from(`${text}\n`) };
};
