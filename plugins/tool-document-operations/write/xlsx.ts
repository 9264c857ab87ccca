import writeWorkbook from "write-excel-file/node";
import { plainText, type Block } from "../markdown/blocks.ts";
import { headingSize, type Style } from "../style/style.ts";
import { cellValue, textValue, type CellValue } from "./cell-value.ts";
import { csvRows } from "./csv-rows.ts";
import type { Manuscript, Writer } from "./write-job.ts";

interface Cell extends CellValue {
  readonly textColor: string;
  readonly fontWeight?: "bold";
  readonly fontSize?: number;
}

type Row = readonly Cell[];

interface Sheet {
  readonly name: string;
  readonly rows: Row[];
}

const cell = (text: string, { text_color: textColor }: Style): Cell => ({ ...cellValue(text), textColor });
const textCell = (text: string, { text_color: textColor }: Style): Cell => ({
  ...textValue(text),
  textColor,
});

const headCell = (text: string, { heading_color }: Style): Cell => ({
  ...textValue(text),
  fontWeight: "bold",
  textColor: heading_color,
});

function tableRows([head = [], ...rows]: readonly (readonly string[])[], style: Style): Row[] {
  const headCells = head.map((text) => headCell(text, style));
  return [headCells, ...rows.map((row) => row.map((text) => cell(text, style)))];
}

function blockRows(block: Block, style: Style): readonly Row[] {
  if (block.type === "table") {
    const texts = block.rows.map((row) => row.map(plainText));
    return [...tableRows(texts, style), []];
  }
  if (block.type === "code") return block.text.split("\n").map((line) => [textCell(line, style)]);
  if (block.type === "rule") return [[]];
  const text = plainText(block.runs);
  if (block.type === "heading")
    return [[{ ...headCell(text, style), fontSize: headingSize(style, block.level) }]];
  if (block.type === "paragraph") return [[cell(text, style)]];
  const { value } = textValue(`${block.marker} ${text}`);
  return [[{ ...textCell("", style), value: `${"  ".repeat(block.depth)}${String(value)}` }]];
}

/** Excel allows 31 characters, some not, and no name twice. */
function sheetName(title: string, sheets: readonly Sheet[]): string {
  const base =
    title
      .replaceAll(/[\\/?*[\]:\s]+/g, " ")
      .replaceAll(/^'+|'+$/g, "")
      .trim()
      .slice(0, 28)
      .trim() || "Sheet";
  const used = new Set(sheets.map(({ name }) => name.toLowerCase()));
  let name = base;
  for (let count = 2; used.has(name.toLowerCase()); count += 1) name = `${base.slice(0, 26)} ${count}`;
  return name;
}

/** A sheet for each heading of the first level. */
function sheetsOf(blocks: readonly Block[], style: Style): readonly Sheet[] {
  const sheets: Sheet[] = [];
  const begin = (title: string): void => void sheets.push({ name: sheetName(title, sheets), rows: [] });
  for (const block of blocks) {
    const isTop = block.type === "heading" && block.level === 1;
    if (isTop) begin(plainText(block.runs));
    else if (sheets.length === 0) begin("Sheet 1");
    if (!isTop) for (const row of blockRows(block, style)) sheets.at(-1)?.rows.push(row);
  }
  if (sheets.length === 0) begin("Sheet 1");
  return sheets;
}

/** Wide enough for most cells of each column, between 8 and 60 characters. */
function columnWidths(rows: readonly Row[]): readonly { readonly width: number }[] {
  const widths: number[] = [];
  for (const row of rows.filter(({ length }) => length > 1))
    for (const [column, { value, format }] of row.entries()) {
      const width = (value instanceof Date ? format : String(value))!.length + 2;
      widths[column] = Math.max(widths[column] ?? 8, Math.min(60, width));
    }
  return widths.map((width) => ({ width }));
}

function sheetsFor({ content, title, blocks, style }: Manuscript): readonly Sheet[] {
  const hasTable = blocks.some(({ type }) => type === "table");
  const csv = !hasTable && csvRows(content);
  if (!csv) return sheetsOf(blocks, style);
  return [{ name: sheetName(title || "Sheet 1", []), rows: tableRows(csv, style) }];
}

/** The style that cells have unless they say otherwise, which other libraries look for. */
const normalStyle = {
  before: '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  after: '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
};

const features = [
  {
    files: {
      transform: {
        "xl/styles.xml": {
          transform: (xml: string): string =>
            xml
              .replace("<cellXfs", () => `${normalStyle.before}<cellXfs`)
              .replace("</cellXfs>", () => `</cellXfs>${normalStyle.after}`),
        },
        // Formulas have no value yet.
        "xl/workbook.xml": {
          transform: (xml: string): string => xml.replace("<calcPr/>", '<calcPr fullCalcOnLoad="1"/>'),
        },
      },
    },
  },
];

/**
 * Markdown's tables as cells, other text in the first column; or comma-separated values as they are.
 */
export const writeXlsx: Writer = async (manuscript) => {
  const { style } = manuscript;
  const { font_family: fontFamily, font_size: fontSize, page_width, page_height } = style;
  const pages = sheetsFor(manuscript).map(({ name, rows }) => ({
    sheet: name,
    data: rows.map((row) => [...row]),
    columns: [...columnWidths(rows)],
    ...(page_width > page_height && { orientation: "landscape" as const }),
  }));
  return { bytes: await writeWorkbook(pages, { fontFamily, fontSize, features }).toBuffer() };
};
