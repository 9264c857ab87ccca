import { AppError, defined, messageOf, PluginError } from "@pergola/sdk";
import { kinds, notCarriedOut, told, worded, type Kind } from "./kinds.ts";

/** Seconds after which a client may try again. */
const retryAfter = 5;

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

/** What an error of the database, the driver or the network means. */
export function kindOf(error: unknown): Kind {
  const code = codeOf(error);
  const exact = told.find(([own, words]) => code === own && words.test(messageOf(error)));
  if (exact !== undefined) return exact[2];
  const byCode = kinds.find(([prefix]) => code.startsWith(prefix));
  const found = byCode ?? (code === "" ? worded.find(([words]) => words.test(messageOf(error))) : undefined);
  return found?.[1] ?? notCarriedOut;
}

/** The error that a client of the service may see. What is one already stays what it is. */
export function failureOf(error: unknown): AppError {
  if (AppError.is(error)) return error;
  const { message, code = "storage_unavailable" } = kindOf(error);
  const wait = code === "storage_unavailable" ? retryAfter : undefined;
  return new AppError(defined({ code, message, retryAfter: wait, cause: error }));
}

export const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError(defined({ code: "storage_unavailable", message, retryAfter, cause }));

/** The error that keeps a host from starting; `where` names the database without a secret. */
export function refusalOf(error: unknown, where: string): PluginError {
  if (error instanceof PluginError) return error;
  const { reason, remedy } = kindOf(error);
  const message = `the database ${where} ${reason} (${messageOf(error)})`;
  return new PluginError("storage-postgres", "open", message, { remedy, cause: error });
}
