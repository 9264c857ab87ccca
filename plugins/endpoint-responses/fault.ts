import { AppError } from "@pergola/sdk";

/** A request that is refused for one of its fields. `message` goes on after the field's name. */
export const fault = (param: string, message: string, code = "invalid_value", cause?: unknown): AppError =>
  new AppError({ code, message: `${param} ${message}.`, param, cause });
