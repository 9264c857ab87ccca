import { formulaIn } from "./formula.ts";

export interface CellValue {
  readonly value: string | number | Date;
  readonly type?: "Formula";
  /** How the value is shown; the usual way without it. */
  readonly format?: string;
}

/**
 * A plain decimal number of at most 15 digits, which is what a cell holds exactly. Numbers with leading zeros
 * are codes.
 */
const number = /^(-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,14}))?)(%?)$/;
const date = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?)?$/;
/** Before it, spreadsheets count days in two ways. */
const firstDate = Date.UTC(1900, 2, 1);
/** Characters that a cell may hold (Excel's specifications and limits). */
const longestCell = 32_767;

export const textValue = (text: string): CellValue => ({ value: text.trim().slice(0, longestCell) });

/** What a text stands for in a cell: a number, a percentage, a date, a formula; else the text itself. */
export function cellValue(text: string): CellValue {
  const value = text.trim();
  const formula = formulaIn(value);
  if (formula !== undefined) return { value: formula, type: "Formula" };
  return numberIn(value) ?? dateIn(value) ?? textValue(value);
}

function numberIn(text: string): CellValue | undefined {
  const [, digits, decimals = "", percent] = number.exec(text) ?? [];
  if (digits === undefined || digits.replaceAll(/\D/g, "").length > 15) return undefined;
  if (percent !== "%") return { value: Number(digits) };
  const format = decimals === "" ? "0%" : `0.${"0".repeat(decimals.length)}%`;
  return { value: Number(`${digits}e-2`), format };
}

/** Days and moments as ISO 8601 writes them, without a zone: a cell has none. */
function dateIn(text: string): CellValue | undefined {
  const [, day, time, seconds = ""] = date.exec(text) ?? [];
  if (day === undefined) return undefined;
  const moment = new Date(`${day}T${time ?? "00:00"}${seconds || ":00"}Z`);
  const isReal = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
  if (!isReal || moment.getTime() < firstDate) return undefined;
  if (time === undefined) return { value: moment, format: "yyyy-mm-dd" };
  return { value: moment, format: seconds === "" ? "yyyy-mm-dd hh:mm" : "yyyy-mm-dd hh:mm:ss" };
}
