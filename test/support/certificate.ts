import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Context } from "mocha";
import type { CertificateFiles } from "../../core/http/certificate.ts";

/** Skips the test where the program `openssl` is missing (Debian: openssl). */
export function needsOpenssl(test: Context): void {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  if (!folders.some((folder) => existsSync(path.join(folder, "openssl")))) test.skip();
}

/** Makes a certificate that signs itself, for names such as `DNS:box.lan` and `IP:127.0.0.1`. */
export function makeCertificate(
  folder: string,
  name: string,
  subjects: readonly string[] = ["DNS:localhost", "IP:127.0.0.1"],
): CertificateFiles {
  const [cert, key] = [path.join(folder, `${name}.crt`), path.join(folder, `${name}.key`)];
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=${subjects.join(",")}`];
  execFileSync("openssl", [...words, ...subject, "-days", "30", "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { cert, key };
}
