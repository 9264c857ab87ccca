import { AppError } from "@pergola/sdk";
import { isFenced } from "@pergola/sdk/host";

/** What a run ends with here that another host has taken over. */
export const lostRun = (id: string, cause?: unknown): AppError =>
  new AppError({
    code: "storage_unavailable",
    message: `This host was out of reach; another one works on the run "${id}" now.`,
    retryAfter: 1,
    cause,
  });

/** Throws what a run ends with that could not be stored. */
export const throwFailure =
  (id: string) =>
  (cause: unknown): never => {
    if (isFenced(cause)) throw lostRun(id, cause);
    if (AppError.is(cause)) throw cause;
    throw new AppError({ code: "storage_unavailable", message: "The run could not be stored.", cause });
  };
