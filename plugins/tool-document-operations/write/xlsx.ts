import writeWorkbook from "write-excel-file/node";
import { plainText, type Block, type Run } from "../markdown/blocks.ts";
import type { Style } from "../style/style.ts";
import { csvRows } from "./csv-rows.ts";
import type { Writer } from "./write-job.ts";

interface Cell {
  readonly value: string | number;
  readonly fontWeight?: "bold";
  readonly fontSize?: number;
  readonly textColor?: string;
  readonly wrap?: boolean;
}

type Row = readonly (Cell | null)[];

interface Sheet {
  readonly name: string;
  readonly rows: Row[];
}

/**
 * A plain decimal number of at most 15 digits, which is what a cell holds exactly. Numbers with leading zeros
 * are codes.
 */
const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,14})?$/;
/** Characters that a cell may hold (Excel's specifications and limits). */
const longestCell = 32_767;

const cell = (text: string, { text_color }: Style): Cell => {
  const value = text.trim();
  const isNumber = number.test(value) && value.replaceAll(/\D/g, "").length <= 15;
  return { value: isNumber ? Number(value) : value.slice(0, longestCell), textColor: text_color };
};

const headCell = (text: string, { heading_color }: Style): Cell => ({
  value: text.trim().slice(0, longestCell),
  fontWeight: "bold",
  textColor: heading_color,
});

const tableRows = (rows: readonly (readonly string[])[], style: Style): readonly Row[] =>
  rows.map((row, index) => row.map((text) => (index === 0 ? headCell(text, style) : cell(text, style))));

function blockRows(block: Block, style: Style): readonly Row[] {
  const text = (runs: readonly Run[]): string => plainText(runs);
  if (block.type === "table")
    return [
      ...tableRows(
        block.rows.map((row) => row.map(text)),
        style,
      ),
      [],
    ];
  if (block.type === "code") return block.text.split("\n").map((line) => [cell(line, style)]);
  if (block.type === "rule") return [[]];
  if (block.type === "heading") {
    const fontSize =
      [style.heading1_size, style.heading2_size, style.heading3_size][block.level - 1] ?? style.font_size;
    return [[{ ...headCell(text(block.runs), style), fontSize }]];
  }
  if (block.type === "paragraph") return [[cell(text(block.runs), style)]];
  const value = `${"  ".repeat(block.depth)}${block.marker} ${text(block.runs)}`;
  return [[{ ...cell("", style), value: value.slice(0, longestCell) }]];
}

/** Excel allows 31 characters, some not, and no name twice. */
function sheetName(wanted: string, taken: readonly string[]): string {
  const base =
    wanted
      .replaceAll(/[\\/?*[\]:]/g, " ")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/^'+|'+$/g, "")
      .trim()
      .slice(0, 28)
      .trim() || "Sheet";
  const isTaken = (name: string): boolean =>
    taken.some((other) => other.toLowerCase() === name.toLowerCase());
  if (!isTaken(base)) return base;
  let count = 2;
  while (isTaken(`${base.slice(0, 26)} ${count}`)) count += 1;
  return `${base.slice(0, 26)} ${count}`;
}

/** A sheet for each heading of the first level. */
function sheetsOf(blocks: readonly Block[], style: Style): readonly Sheet[] {
  const sheets: Sheet[] = [];
  for (const block of blocks) {
    const isTop = block.type === "heading" && block.level === 1;
    if (isTop || sheets.length === 0) {
      const names = sheets.map(({ name }) => name);
      sheets.push({ name: sheetName(isTop ? plainText(block.runs) : "Sheet 1", names), rows: [] });
    }
    if (!isTop) sheets.at(-1)?.rows.push(...blockRows(block, style));
  }
  return sheets;
}

/** Wide enough for most cells of each column, between 8 and 60 characters. */
function columnWidths(rows: readonly Row[]): readonly { readonly width: number }[] {
  const widths: number[] = [];
  for (const row of rows)
    if (row.length > 1)
      row.forEach(
        (one, column) =>
          (widths[column] = Math.max(widths[column] ?? 8, Math.min(60, String(one?.value ?? "").length + 2))),
      );
  return widths.map((width) => ({ width }));
}

/**
 * Markdown's tables as cells, other text in the first column; or comma-separated values as they are. Text is
 * never taken for a formula.
 */
export const writeXlsx: Writer = async ({ content, title, blocks, style }) => {
  const csv = blocks.some(({ type }) => type === "table") ? undefined : csvRows(content);
  const sheets =
    csv === undefined
      ? sheetsOf(blocks, style)
      : [{ name: sheetName(title || "Sheet 1", []), rows: tableRows(csv, style) }];
  const all = sheets.length === 0 ? [{ name: "Sheet 1", rows: [] }] : sheets;
  const pages = all.map(({ name, rows }) => ({
    sheet: name,
    data: rows.map((row) => [...row]),
    columns: [...columnWidths(rows)],
    orientation: style.page_width > style.page_height ? ("landscape" as const) : undefined,
  }));
  return {
    bytes: await writeWorkbook(pages, {
      fontFamily: style.font_family,
      fontSize: style.font_size,
    }).toBuffer(),
  };
};
