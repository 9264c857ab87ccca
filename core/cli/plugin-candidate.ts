import type { PluginStatus } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import type { Asked } from "../plugins/plugin-grants.ts";
import { changeLock, readLock, type Lock, type LockedVersion } from "../plugins/plugin-lock.ts";
import { supplyFact, versionText } from "../plugins/supply-audit.ts";
import { describeCandidate } from "../supply/describe-candidate.ts";
import { removeOthers } from "../supply/keep-version.ts";
import { exitCodes } from "./exit-codes.ts";
import { silentLog } from "./person-log.ts";
import { consentDigest, isAgreed, type Consent, type ConsentOptions } from "./plugin-consent.ts";
import { printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";

export interface SupplyOptions extends CommonOptions, ConsentOptions {
  readonly offline?: boolean;
  /** Used where it lies, by its author: not pinned. */
  readonly link?: boolean;
  /** In the host's process. */
  readonly trusted?: boolean;
}

/** What is known of a plugin before its state is: the rest of the consent is found by trying it. */
type Candidate = Omit<Consent, "tools" | "sandbox" | "fault"> & { readonly use: string };

/** A kind that only runs in the host's process needs a word of its own. Throws AppError. */
export function checkKind(kind: string, trusted: boolean): void {
  if (kind === "bundle")
    throw fault("invalid_value", "A bundle is not added; add the plugins that it names.");
  if (kind === "tool" || trusted) return;
  const advice = "If you trust it with everything, add --trusted.";
  throw fault("invalid_value", `A plugin of kind ${kind} runs only in the host's process. ${advice}`);
}

/**
 * Tries a plugin, unless it would be in this process. Throws AppError `invalid_value` for a new one that
 * would not run.
 */
export async function look(
  { use, ...candidate }: Candidate,
  options: SupplyOptions,
  candidates = [{ use }],
): Promise<Consent> {
  const unknown = { tools: null, sandbox: null, fault: null };
  if (candidate.trusted) return { ...candidate, ...unknown };
  const entries = candidates.map((entry) => ({ ...entry, isolation: "process" as const }));
  const status = await describeCandidate(settingsOf(options), silentLog, candidate.id, entries);
  if (status === undefined) return { ...candidate, ...unknown };
  const { sandbox, fault: found, effects, isUntried, problem } = status;
  const isNew = candidates.length > 0;
  if (isNew && !isUntried && problem !== null) throw fault("invalid_value", refusal(candidate, problem));
  return { ...candidate, tools: effects as Consent["tools"], sandbox, fault: found };
}

/** The usual remedies speak of a plugin that is already in use. */
function refusal(
  { id, version }: Pick<Candidate, "id" | "version">,
  { message, remedy }: NonNullable<PluginStatus["problem"]>,
): string {
  const advice = /plugins inspect|under disabled/.test(remedy) ? "Its author can mend it." : remedy;
  return `${id} ${version} cannot be added. ${message.replace(/[^.?!]$/, "$&.")} ${advice}`;
}

/**
 * Shows a plugin, and asks. `before` is what was agreed to last, where less than that needs no second look.
 */
export async function decide(
  consent: Consent,
  before: Asked | undefined,
  options: SupplyOptions,
): Promise<boolean> {
  if (options.json === true && options.dryRun === true)
    printResult(options, { ...consent, consent: consentDigest(consent) }, []);
  return isAgreed(consent, before, options);
}

/** The end of a command that changed nothing. */
export function declined({ dryRun }: SupplyOptions): number {
  if (dryRun === true) return exitCodes.ok;
  printNote("Nothing was changed.");
  return exitCodes.failed;
}

/** The end of a command that took a plugin on. */
export function report(what: string, { id, version, files }: Consent, options: SupplyOptions): number {
  printResult(options, { id, version, files }, [
    `${what} ${id} ${version}. It runs from the next start of the service.`,
  ]);
  return exitCodes.ok;
}

/** What a folder alone tells of a plugin. */
export const ofFolder = ({ id, package: name, version, permissions }: CompleteManifest, folder: string) => ({
  id,
  package: name,
  version,
  source: folder,
  integrity: null,
  publisher: null,
  fileCount: null,
  dependencies: [],
  scripts: [],
  permissions,
});

/** What is agreed to, as the lock keeps it. */
export const lockedAs = (consent: Consent): LockedVersion => ({
  package: consent.package,
  version: consent.version,
  integrity: consent.integrity,
  files: consent.files,
  permissions: consent.permissions,
  tools: consent.tools,
  ...(consent.trusted && { trusted: true as const }),
  grantedAt: new Date().toISOString(),
});

/** Writes the new version into the lock; the one before stays, as long as it can be gone back to. */
export function keep(
  dataDirectory: string,
  id: string,
  current: LockedVersion,
  how: "add" | "update" | "link",
): void {
  const replace = ({ [id]: entry = {} }: Lock): Lock => {
    const { current: old, previous, ...rest } = entry;
    const isReplaced = old?.folder !== undefined && old.files !== null && old.files !== current.files;
    const last = isReplaced ? old : previous;
    return { [id]: { ...rest, current, ...(last && { previous: last }) } };
  };
  changeLock(dataDirectory, replace, supplyFact(how, versionText(id, current)));
  removeOthers(dataDirectory, id, readLock(dataDirectory)[id]);
}
