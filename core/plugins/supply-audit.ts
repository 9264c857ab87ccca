import { messageOf, type Caller, type Clock, type Log } from "@pergola/sdk";
import { appendAudit, auditFolder, type AuditFact } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import type { LockedVersion } from "./plugin-lock.ts";

/** Who works at the command line: whoever may read the data directory. */
export const atCommandLine: Caller = {
  kind: "owner",
  id: "command line",
  name: "owner",
  remote: false,
  scopes: ["read", "chat", "tools", "approve", "admin"],
  root: null,
};

/**
 * Writes down what happens to a plugin, whether a service runs or not. Throws AppError `storage_unavailable`
 * where that fails.
 */
export function recordFact(dataDirectory: string, fact: AuditFact, clock: Clock = Date): void {
  try {
    const time = new Date(clock.now()).toISOString();
    appendAudit(auditFolder(dataDirectory), fact, { time });
  } catch (cause) {
    const message = `The audit cannot be written (${messageOf(cause)}), so this is not done.`;
    throw fault("storage_unavailable", message, { retryAfter: 30, cause });
  }
}

/** The same for what happens anyway. */
export function noteFact(
  { dataDirectory, clock, log }: { readonly dataDirectory: string; readonly clock: Clock; readonly log: Log },
  fact: AuditFact,
): void {
  try {
    recordFact(dataDirectory, fact, clock);
  } catch (error) {
    log.error({ error, action: fact.action }, "a fact could not be written into the audit");
  }
}

/** What a person does with a plugin, at the command line or, as another caller, elsewhere. */
export const supplyFact = (
  what: "add" | "update" | "link" | "approve" | "remove" | "enable" | "disable" | "rollback",
  target: string,
  caller: Caller = atCommandLine,
): AuditFact => ({ action: `plugin.${what}`, target, outcome: "done", caller });

/** A version as the audit names it: its bytes, and what they may reach. */
export function versionText(
  id: string,
  {
    version,
    files,
    trusted,
    permissions,
  }: Pick<LockedVersion, "version" | "files" | "trusted" | "permissions">,
): string {
  const bytes = files === null ? "not pinned" : `sha256:${files}`;
  const reach = trusted === true ? "trusted" : JSON.stringify(permissions ?? {});
  return `${id} ${version} ${bytes} ${reach}`;
}
