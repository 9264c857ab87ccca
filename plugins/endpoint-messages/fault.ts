import { AppError } from "@pergola/sdk";

/** A request that is refused for one of its fields. `message` goes on after the field's name. */
export const fault = (param: string, message: string, code = "invalid_value"): AppError =>
  new AppError({ code, message: `${param} ${message}.`, param });

/** The refusal of a field that must be given and is missing, or breaks `rule`. */
export function unfit(param: string, value: unknown, rule: string): AppError {
  if (value === undefined) return fault(param, "is missing", "missing_field");
  return fault(param, rule);
}
