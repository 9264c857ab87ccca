import { AppError } from "@pergola/sdk";

/** Something else was stored meanwhile. */
export const isConflict = (error: unknown): boolean => AppError.is(error) && error.code === "conflict";
