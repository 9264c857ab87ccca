import { AppError } from "@pergola/sdk";

/** The refusal of a request for one of its fields. `message` goes on after the field's name. */
export const fieldFault = (
  param: string,
  message: string,
  code = "invalid_value",
  cause?: unknown,
): AppError => new AppError({ code, message: `${param} ${message}.`, param, cause });
