import { fieldFault } from "@pergola/kit-provider";
import type { AppError } from "@pergola/sdk";

/** The refusal of a field that must be given and is missing, or breaks `rule`. */
export function unfit(param: string, value: unknown, rule: string): AppError {
  if (value === undefined) return fieldFault(param, "is missing", "missing_field");
  return fieldFault(param, rule);
}
