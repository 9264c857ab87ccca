import { AppError } from "@pergola/sdk";

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Milliseconds of a duration such as `90d`. Throws `invalid_value` for another form, `out_of_range` above
 * `most`.
 */
export function millisecondsOf(duration: string, param: string, most = Infinity): number {
  const [, amount, unit = ""] = /^(\d+)([smhd])$/.exec(duration.trim()) ?? [];
  const milliseconds = Number(amount) * (units[unit] ?? NaN);
  const message = `${param} is a number with s, m, h or d behind it, such as 90d.`;
  if (!Number.isSafeInteger(milliseconds)) throw new AppError({ code: "invalid_value", message, param });
  if (milliseconds > most)
    throw new AppError({ code: "out_of_range", message: `${param} is too long.`, param });
  return milliseconds;
}
