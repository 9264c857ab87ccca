import { AppError } from "../contract/errors.ts";

/** Whether a commit was refused since another host has the name of its fence now. */
export const isFenced = (error: unknown): boolean =>
  AppError.is(error) && error.code === "conflict" && error.details?.["fence"] !== undefined;
