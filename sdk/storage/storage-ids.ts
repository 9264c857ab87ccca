import { AppError } from "../contract/errors.ts";

/**
 * Ids are text of at least one character, without NUL and without half of a surrogate pair: what every
 * database can keep and compare.
 */
export const isStorageId = (id: unknown): id is string =>
  typeof id === "string" && id !== "" && !/[\0\p{Surrogate}]/u.test(id);

/** The id itself. Throws AppError `invalid_id` for one that cannot be stored. */
export function checkStorageId(id: unknown): string {
  if (isStorageId(id)) return id;
  throw new AppError({
    code: "invalid_id",
    message: "An id is text of at least one character, without NUL and without broken characters.",
    param: "id",
  });
}
