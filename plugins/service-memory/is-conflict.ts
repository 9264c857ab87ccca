import { AppError } from "@pergola/sdk";

/** Another host has changed the record meanwhile. */
export const isConflict = (error: unknown): boolean => AppError.is(error) && error.code === "conflict";
