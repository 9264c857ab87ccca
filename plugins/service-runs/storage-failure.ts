import { AppError } from "@pergola/sdk";

/** What a run ends with that could not be stored. */
export function storageFailure(cause: unknown): AppError {
  if (AppError.is(cause)) return cause;
  return new AppError({ code: "storage_unavailable", message: "The run could not be stored.", cause });
}
