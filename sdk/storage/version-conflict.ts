import { AppError } from "../contract/errors.ts";

/** The error for a write whose `ifVersion` is not the version of the stored record. */
export const versionConflict = (collection: string, id: string): AppError =>
  new AppError({
    code: "conflict",
    message: "The record was changed by somebody else in the meantime.",
    details: { collection, id },
  });
