import { AppError } from "@pergola/sdk";

/** What a run ends with that could not be stored. */
export function storageFailure(cause: unknown): AppError {
  if (AppError.is(cause)) return cause;
  return new AppError({ code: "storage_unavailable", message: "The run could not be stored.", cause });
}

/** Whether a commit was refused since another host has the conversation now. */
export const isFenced = (error: unknown): boolean =>
  AppError.is(error) && error.code === "conflict" && error.details?.["fence"] !== undefined;

/** What a run ends with here that another host has taken over. */
export const lostRun = (id: string): AppError =>
  new AppError({
    code: "storage_unavailable",
    message: `This host was out of reach; another one works on the run "${id}" now.`,
    retryAfter: 1,
  });
