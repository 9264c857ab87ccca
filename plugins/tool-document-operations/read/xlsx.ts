import readWorkbook from "read-excel-file/node";
import { invalidValue } from "../invalid-value.ts";
import { cellText, tableRow } from "../markdown/table-row.ts";
import { styleFacts, type StyleFacts } from "../style/style.ts";
import type { Reading } from "./document-text.ts";
import type { OfficePackage } from "./office-package.ts";
import { visitXml } from "./visit-xml.ts";

/** Cells of a sheet's used rectangle, empty ones included: the reader makes room for all of them. */
const mostCells = 5_000_000;
const reference = /\br="([A-Z]{1,3})(\d{1,7})"/g;

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/**
 * Throws ToolError `invalid_value` for a sheet whose cells lie so far apart that its rectangle is too large.
 */
function checkExtent(xml: string): void {
  let [columns, rows] = [0, 0];
  for (const [, letters = "", row] of xml.matchAll(reference)) {
    columns = Math.max(columns, columnNumber(letters));
    rows = Math.max(rows, Number(row));
  }
  if (columns * rows <= mostCells) return;
  throw invalidValue(
    "A sheet is too large.",
    `Its cells lie in ${columns} columns and ${rows} rows. Export the part that matters as csv.`,
  );
}

/** Days as dates, moments with their time. */
const dateText = (date: Date): string =>
  date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, "")
    .replace(/\.000Z$/, "Z");

/** The library's own type calls a date by its constructor. */
type Value = string | number | boolean | Date | null;

function valueText(value: Value): string {
  if (value === null) return "";
  if (value instanceof Date) return dateText(value);
  return cellText(String(value));
}

function tableText(rows: readonly (readonly Value[])[]): string {
  const filled = rows.map((row) => row.map(valueText)).filter((row) => row.some((cell) => cell !== ""));
  return filled.map((row, index) => tableRow(row, index === 0)).join("\n") || "(empty)";
}

/** The font that cells have unless they say otherwise is the first one. */
function workbookStyle(parts: OfficePackage): StyleFacts {
  const found: { name?: string | undefined; size?: number } = {};
  let inFonts = false;
  visitXml(parts.text("xl/styles.xml"), {
    open(name, { val }) {
      if (name === "fonts") inFonts = true;
      else if (inFonts && name === "name") found.name ??= val;
      else if (inFonts && name === "sz") found.size ??= Number(val);
    },
    close(name) {
      if (name === "fonts") inFonts = false;
    },
  });
  return styleFacts({ font_family: found.name, font_size: found.size });
}

/** Every sheet as a heading and a table. Formulas stand by the value that was last worked out. */
export async function readXlsx(parts: OfficePackage): Promise<Reading> {
  for (const name of parts.names)
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) checkExtent(parts.text(name));
  const sheets = await readWorkbook(parts.repacked());
  return {
    text: sheets.map(({ sheet, data }) => `## ${sheet}\n\n${tableText(data as Value[][])}`).join("\n\n"),
    style: workbookStyle(parts),
    facts: { sheet_names: sheets.map(({ sheet }) => sheet) },
  };
}
