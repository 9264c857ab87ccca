import { readFileSync } from "node:fs";
import type { AuditEntry } from "@pergola/sdk/host";
import { auditFiles, auditFolder } from "@pergola/sdk/host";

/** The audit of a data directory, the oldest first. */
export const auditIn = (data: string): readonly AuditEntry[] =>
  auditFiles(auditFolder(data)).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as AuditEntry),
  );
