/**
 * Functions that work out a value from cells of the same workbook. None of those that load an address, start
 * a program or refer to a place by a text.
 */
const functions = new Set(
  (
    "ABS ACOS AND ASIN ATAN ATAN2 AVERAGE AVERAGEIF AVERAGEIFS CEILING CHAR CHOOSE CLEAN CODE COLUMN " +
    "COLUMNS CONCATENATE CORREL COS COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS DATE DATEDIF DATEVALUE DAY " +
    "DAYS360 DEGREES EDATE EOMONTH EVEN EXACT EXP FACT FALSE FIND FIXED FLOOR FREQUENCY FV HLOOKUP HOUR " +
    "IF IFERROR INDEX INT IPMT IRR ISBLANK ISERROR ISEVEN ISNUMBER ISODD ISTEXT LARGE LEFT LEN LN LOG " +
    "LOG10 LOOKUP LOWER MATCH MAX MEDIAN MID MIN MINUTE MOD MODE MONTH MROUND NA NETWORKDAYS NOT NOW " +
    "NPER NPV ODD OR PERCENTILE PI PMT POWER PPMT PRODUCT PROPER PV QUARTILE QUOTIENT RADIANS RAND " +
    "RANDBETWEEN RANK RATE REPLACE REPT RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SECOND SIGN SIN " +
    "SLN SLOPE SMALL SQRT STDEV STDEVP SUBSTITUTE SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT TAN TEXT TIME " +
    "TIMEVALUE TODAY TRIM TRUE TRUNC UPPER VALUE VAR VARP VLOOKUP WEEKDAY WEEKNUM WORKDAY YEAR YEARFRAC"
  ).split(" "),
);

/** A text, a number, a reference in the same sheet, a function's name, or an operator. */
const token =
  /\s*(?:"(?:[^"]|"")*"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|(?<reference>\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}(?![\w.(]))|(?<name>[A-Za-z][A-Za-z0-9]*)(?=\()|<=|>=|<>|[-+*/^&=<>%(),:])\s*/gy;
const nesting: Readonly<Record<string, number>> = { "(": 1, ")": -1 };
const longestFormula = 8192;

/**
 * A cell's formula without its `=`; undefined for a text that is none, or one that does more than work out a
 * value from cells of its own sheet: such a text stays a text.
 */
export function formulaIn(text: string): string | undefined {
  const formula = text.slice(1);
  if (!text.startsWith("=") || formula.trim() === "" || text.length > longestFormula) return undefined;
  let end = 0;
  let open = 0;
  for (const match of formula.matchAll(token)) {
    const { name } = match.groups ?? {};
    if (name !== undefined && !functions.has(name.toUpperCase())) return undefined;
    open += nesting[match[0].trim()] ?? 0;
    if (open < 0) return undefined;
    end = match.index + match[0].length;
  }
  return end === formula.length && open === 0 ? formula : undefined;
}
