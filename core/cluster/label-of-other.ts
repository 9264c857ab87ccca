import { AppError } from "@pergola/sdk";

/** The label of the host that has what a refused request needs; undefined for other refusals. */
export function labelOfOther(error: unknown): string | undefined {
  if (!AppError.is(error) || error.code !== "wrong_host") return undefined;
  const label = error.details?.["host"];
  return typeof label === "string" ? label : undefined;
}
