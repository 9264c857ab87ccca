import { AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { silent } from "./ask.ts";

/** What the system or the TLS layer says of a connection that failed. */
interface Failure {
  readonly code?: string;
  readonly message?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

export const isLoopback = (hostname: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

const unknownIssuer =
  "its certificate is signed by nobody whom this computer knows. If it is yours, set " +
  "NODE_EXTRA_CA_CERTS=<file> to the certificate, or to that of its issuer";

const early = "its certificate is not valid yet: compare the clocks of both computers";
const late = "it took too long to connect; is the address right, and does a firewall let it through?";
const nameless = "no computer of this name is known";

const reasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: early,
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it closed the connection; does it speak https where you wrote http, or the other way round?",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak https",
  EPROTO: "it does not speak https",
  ENOTFOUND: nameless,
  EAI_AGAIN: nameless,
  ETIMEDOUT: late,
  [silent]: "it took too long to answer",
};

/** What lies behind an error. */
export const causeOf = (error: unknown): Failure => ((error as Error).cause ?? error) as Failure;

/** Why nothing came back from a service, and what helps. The error counts as `service_unreachable`. */
export function unreachable(url: string, error: unknown): AppError {
  const cause = causeOf(error);
  const { code = cause.message ?? "unknown" } = cause;
  const start =
    code === "ECONNREFUSED" && isLoopback(new URL(url).hostname) ? " `pergola start` starts one." : "";
  const message = `The service at ${url} cannot be reached: ${reasonOf(code, cause)} (${code}).${start}`;
  return fault(unreachableCode, message, { cause: error });
}

export const unreachableCode = "service_unreachable";

export const isUnreachable = (error: unknown): error is AppError =>
  AppError.is(error) && error.code === unreachableCode;

function reasonOf(code: string, { cert }: Failure): string {
  if (code !== "ERR_TLS_CERT_ALTNAME_INVALID") return reasons[code] ?? "the connection failed";
  const names = (cert?.subjectaltname ?? "").replaceAll(/(DNS|IP Address):/g, "");
  return `its certificate is for other names: ${names || "none"}`;
}
