import readWorkbook from "read-excel-file/node";
import { cellText, tableRow } from "../markdown/table-row.ts";
import { styleFacts, type StyleFacts } from "../style/style.ts";
import type { Reading } from "./document-text.ts";
import type { OfficePackage } from "./office-package.ts";
import { checkExtents } from "./sheet-extent.ts";
import { visitXml } from "./visit-xml.ts";

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
  checkExtents(parts);
  const sheets = await readWorkbook(parts.repacked());
  return {
    text: sheets.map(({ sheet, data }) => `## ${sheet}\n\n${tableText(data as Value[][])}`).join("\n\n"),
    style: workbookStyle(parts),
    facts: { sheet_names: sheets.map(({ sheet }) => sheet) },
  };
}
