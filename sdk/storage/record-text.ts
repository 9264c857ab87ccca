import { AppError } from "../contract/errors.ts";
import type { Entity, Stored } from "../contract/storage.ts";
import { checkStorageId } from "./storage-ids.ts";

/**
 * A record as backends keep it: its JSON text, without the version.
 * Throws AppError: `invalid_id`; `internal_error` for what JSON cannot carry.
 */
export function recordText(record: Entity): string {
  const id = checkStorageId(record.id);
  try {
    return JSON.stringify({ ...record, version: undefined });
  } catch (cause) {
    throw new AppError({ code: "internal_error", message: `Record ${id} cannot be written as JSON.`, cause });
  }
}

/** The record of `recordText`, with its version. */
export function recordFrom(text: string, version: number): Stored<Entity> {
  return Object.assign(JSON.parse(text) as Entity, { version });
}
