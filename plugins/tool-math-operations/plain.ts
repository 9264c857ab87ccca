import { ToolError } from "@pergola/sdk";

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ToolError("invalid_value", "With these values the result is too large, or does not exist.", {
    hint: "Check the values.",
  });
}

/**
 * A number as a person writes it, in at most 10 significant digits: 2.5, 1200000, 1.5e-9. Throws
 * `invalid_value` unless it is finite.
 */
export function plain(value: number): string {
  const rounded = Number(finite(value).toPrecision(10));
  return String(rounded === 0 ? 0 : rounded);
}

/** An amount of money: two decimals, no sign of a currency. Throws `invalid_value` unless it is finite. */
export const money = (value: number): string => (Math.round(finite(value) * 100) / 100).toFixed(2);

/** `3 months`. */
export const counted = (count: number, noun: string): string =>
  `${plain(count)} ${noun}${count === 1 ? "" : "s"}`;
