import { countOf } from "@pergola/sdk";
import { invalidValue } from "./invalid-value.ts";

function checkFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw invalidValue("With these values the result is too large, or does not exist.");
}

/**
 * A number as a person writes it, in at most 10 significant digits: 2.5, 1200000, 1.5e-9. Throws
 * `invalid_value` unless it is finite.
 */
export const plain = (value: number): string => String(Number(checkFinite(value).toPrecision(10)));

/** A template whose numbers are written by `plain`. */
export function format(parts: TemplateStringsArray, ...values: readonly (number | string)[]): string {
  const texts = values.map((value) => {
    if (typeof value === "string") return value;
    return plain(value);
  });
  return String.raw({ raw: parts }, ...texts);
}

/** An amount of money: two decimals, no sign of a currency. Throws `invalid_value` unless it is finite. */
export const money = (value: number): string => (Math.round(checkFinite(value) * 100) / 100).toFixed(2);

/** `3 months`. */
export const duration = (months: number): string => countOf(Number(plain(months)), "month");

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A name as it is looked up: `Semi Monthly` is `semi_monthly`. */
export const nameKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
