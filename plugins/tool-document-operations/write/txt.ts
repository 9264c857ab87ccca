import { plainText, type Block, type Table } from "../markdown/blocks.ts";
import type { Writer } from "./write-job.ts";

const width = (text: string): number => [...text].length;
const cellText = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function tableText({ rows }: Table): string {
  const texts = rows.map((row) => row.map((cell) => cellText(plainText(cell))));
  const [head = [], ...rest] = texts;
  const widest = (column: number): number =>
    texts.reduce((most, row) => Math.max(most, width(row[column] ?? "")), 0);
  const widths = head.map((_, column) => widest(column));
  const line = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)));
    return cells.join("  ").trimEnd();
  };
  const rule = widths.map((wide) => "-".repeat(wide)).join("  ");
  return [line(head), rule, ...rest.map(line)].join("\n");
}

const underlines: readonly string[] = ["=", "-"];

function headingText(text: string, level: number): string {
  const underline = underlines[level - 1];
  if (underline === undefined) return text;
  return `${text}\n${underline.repeat(Math.max(1, width(text)))}`;
}

const indent = (text: string, by: string): string => text.replaceAll(/(^|\n)(?=[^\n])/g, `$1${by}`);

function blockText(block: Block): string {
  if (block.type === "heading") return headingText(plainText(block.runs), block.level);
  if (block.type === "paragraph") return plainText(block.runs);
  if (block.type === "table") return tableText(block);
  if (block.type === "code") return indent(block.text, "    ");
  if (block.type === "rule") return "-".repeat(20);
  const text = `${block.marker} ${plainText(block.runs)}`;
  return indent(text.trimEnd(), "  ".repeat(block.depth));
}

/** What separates a block from the one before it: the items of a list follow each other. */
function gapBetween(before: Block | undefined, { type }: Block): string {
  if (before === undefined) return "";
  if (type === "item" && before.type === "item") return "\n";
  return "\n\n";
}

/** The text without its markup: headings are underlined, tables are aligned, code is indented. */
export const writeTxt: Writer = async ({ blocks }) => {
  let text = "";
  blocks.forEach((block, index) => {
    text += gapBetween(blocks[index - 1], block);
    text += indent(blockText(block), "> ".repeat(block.quote));
  });
  return { bytes: Buffer.from(`${text}\n`) };
};
