import { invalidValue } from "../invalid-value.ts";
import type { OfficePackage } from "./office-package.ts";
import { visitXml } from "./visit-xml.ts";

/** Cells of a sheet's used rectangle, empty ones included: the reader makes room for all of them. */
const mostCells = 5_000_000;
const lastRow = 1 << 20;
const address = /^([A-Z]{1,3})([1-9]\d{0,6})$/;
const rowNumber = /^[1-9]\d{0,6}$/;

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/** The parts that the workbook names as its sheets, wherever in the package they are. */
function sheetNames(parts: OfficePackage): ReadonlySet<string> {
  const names = new Set<string>();
  visitXml(parts.text("xl/_rels/workbook.xml.rels"), {
    open(name, { Type = "", Target = "" }) {
      if (name !== "Relationship" || !Type.endsWith("/worksheet")) return;
      names.add(Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`);
    },
  });
  return names;
}

/**
 * Throws ToolError `invalid_value` for a workbook with a sheet whose cells lie so far apart that its
 * rectangle is too large, or whose cells or rows name no place at all.
 */
export function checkExtents(parts: OfficePackage): void {
  for (const name of sheetNames(parts)) checkExtent(parts.text(name));
}

function checkExtent(xml: string): void {
  let [columns, rows] = [0, 0];
  visitXml(xml, {
    open(name, { r }) {
      if (r === undefined || (name !== "c" && name !== "row")) return;
      const [, letters = "", row = r] = address.exec(r) ?? [];
      if (!rowNumber.test(row) || Number(row) > lastRow || (name === "c") !== (letters !== ""))
        throw invalidValue(
          "The workbook is damaged.",
          `There is no place "${r.slice(0, 40)}" in a sheet. Ask for another copy.`,
        );
      columns = Math.max(columns, columnNumber(letters));
      rows = Math.max(rows, Number(row));
    },
  });
  if (columns * rows <= mostCells) return;
  throw invalidValue(
    "A sheet is too large.",
    `Its cells lie in ${columns} columns and ${rows} rows. Export the part that matters as csv.`,
  );
}
