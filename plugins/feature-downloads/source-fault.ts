import { AppError, ToolError } from "@pergola/sdk";

interface FaultDetails {
  /** Another try may do better; default: false. */
  readonly retryable?: boolean;
  /** The source does not have what was asked for. */
  readonly missing?: boolean;
  readonly cause?: unknown;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The source failed, or did what it should not. */
export const sourceFault = (
  message: string,
  { retryable = false, missing = false, cause, retryAfter }: FaultDetails = {},
): AppError =>
  new AppError({
    code: "provider_error",
    message,
    details: { retryable, ...(missing && { missing }) },
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  });

const refusal = "There is no such repository, or it needs a token with access to it (downloads.token).";

/**
 * The fault that an answer without the wanted content is; `what` begins the sentence: "The repository x/y".
 */
export function faultOfStatus(status: number, what: string, retryAfter?: string): AppError {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? "") ? { retryAfter: Number(retryAfter) } : {};
  const limited = "The source asks to wait before more is asked of it.";
  if (status === 401 || status === 403)
    return new AppError({ code: "provider_auth_failed", message: refusal });
  if (status === 429)
    return new AppError({
      code: "provider_rate_limited",
      message: limited,
      details: { retryable: true },
      ...seconds,
    });
  if (status === 404 || status === 410)
    return sourceFault(`${what} is not at the source.`, { missing: true });
  return sourceFault(`The source answered ${status}.`, {
    retryable: status >= 500 || status === 408,
    ...seconds,
  });
}

/**
 * A refusal of the door, or a connection that failed, as a fault of the source; whatever else it is comes
 * back as it is.
 */
export function asSourceFault(error: unknown): unknown {
  if (!ToolError.is(error)) return error;
  if (error.code === "permission_denied" || error.code === "invalid_value")
    return sourceFault(`The source leads where it may not: ${error.message}`, { cause: error });
  return sourceFault(`The source could not be reached: ${error.message}`, { retryable: true, cause: error });
}

const full = new Set(["ENOSPC", "EDQUOT"]);

/** Whether there is no room for more bytes. */
export function isFull(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (full.has(code) || code === "EFBIG" || code === "disk_full") return true;
  return error instanceof Error && error.cause !== undefined && isFull(error.cause);
}

function diskMessage(code: string, rest: string): string {
  if (full.has(code)) return `The disk is full. ${rest} Make room, then resume.`;
  if (code === "EFBIG") return `The system does not allow files of that size. ${rest}`;
  return `The folder of models cannot be written (${code}).`;
}

/** A failure of the disk in words that say what to do; whatever else it is comes back as it is. */
export function asDiskFault(error: unknown, freed: boolean): unknown {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || AppError.is(error)) return error;
  const rest = freed ? "What had come was removed." : "What has come is kept.";
  return new AppError({
    code: "storage_unavailable",
    message: diskMessage(code, rest),
    details: { retryable: false },
    cause: error,
  });
}
