import { AppError } from "../contract/errors.ts";
import type { SearchDocument, SearchOptions, SearchQuery } from "../contract/storage.ts";
import { checkStorageId } from "./storage-ids.ts";

function checkVector(search: string, dimensions: number, vector: Float32Array | undefined): void {
  if (vector === undefined || vector.length === dimensions) return;
  const message = `Search ${search}: a vector has ${vector.length} dimensions instead of ${dimensions}.`;
  throw new AppError({ code: "internal_error", message });
}

/**
 * Throws AppError for a document that does not fit the declared search: `invalid_id`, or `internal_error` for
 * a foreign field or vector.
 */
export function checkDocument(
  search: string,
  { fields, dimensions }: SearchOptions,
  document: SearchDocument,
): void {
  checkStorageId(document.id);
  checkVector(search, dimensions, document.vector);
  const foreign = Object.keys(document.fields).find((field) => !Object.hasOwn(fields, field));
  if (foreign !== undefined)
    throw new AppError({
      code: "internal_error",
      message: `Search ${search}: the field ${foreign} was not declared.`,
    });
}

/** Throws AppError `internal_error` for a query whose vector does not fit the declared search. */
export function checkQuery(search: string, { dimensions }: SearchOptions, { vector }: SearchQuery): void {
  checkVector(search, dimensions, vector);
}
