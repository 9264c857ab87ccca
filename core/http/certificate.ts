import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";

/** The files of a certificate, by absolute paths. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const refuse = (param: string, message: string, cause?: unknown): AppError =>
  fault("invalid_value", message, { param, cause });

function readText(file: string, param: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    throw refuse(param, `${param}: ${file} cannot be read (${code}).`, cause);
  }
}

/** A key that the group can read is for root to hand out, as Debian does with the group ssl-cert. */
function checkPrivate(file: string): void {
  if (process.platform === "win32") return;
  const { mode, uid } = statSync(file);
  const allowed = uid === 0 && process.getuid?.() !== 0 ? 0o740 : 0o700;
  if ((mode & 0o777 & ~allowed) === 0) return;
  const message = `server.tls.key: other accounts can use ${file}. Run: chmod 600 ${file}`;
  throw refuse("server.tls.key", message);
}

/**
 * What a server needs of a certificate and its key. Throws AppError `invalid_value` where a file is missing,
 * the two do not belong together, or others can read the key.
 */
export function readCertificate({ cert: certFile, key: keyFile }: CertificateFiles): SecureContextOptions {
  const cert = readText(certFile, "server.tls.cert");
  const key = readText(keyFile, "server.tls.key");
  checkPrivate(keyFile);
  const options: SecureContextOptions = { cert, key, minVersion: "TLSv1.2" };
  try {
    createSecureContext(options);
  } catch (cause) {
    const reason = (cause as Error).message;
    const message = `The certificate ${certFile} and the key ${keyFile} cannot be used together: ${reason}.`;
    throw refuse("server.tls.cert", message, cause);
  }
  return options;
}

/** A text that changes with the files; empty while one of them is missing. */
export function versionOf({ cert, key }: CertificateFiles): string {
  const stats = [cert, key].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  if (stats.includes(undefined)) return "";
  return stats.map((one) => `${one!.ino} ${one!.mtimeNs} ${one!.size} ${one!.mode}`).join();
}

/** What people should know of a certificate: whom it names, and until when it is valid. */
export function describeCertificate({ cert }: CertificateFiles): {
  readonly names: readonly string[];
  readonly validTo: Date;
} {
  const { subjectAltName = "", validTo } = new X509Certificate(readFileSync(cert));
  const names = [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = ""]) => name);
  return { names, validTo: new Date(validTo) };
}
