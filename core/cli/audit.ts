import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import {
  auditCheck,
  auditFiles,
  auditFolder,
  auditHeadFile,
  readAuditHead,
  readAuditLine,
  type AuditEntry,
} from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { readSettings } from "../settings/read-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { localTime } from "./local-time.ts";
import { printError, printJson, printNote, printWrapped } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface AuditOptions extends CommonOptions {
  readonly since?: string;
  readonly caller?: string;
  readonly refused?: boolean;
  readonly verify?: boolean;
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The earliest time that is meant by `2d`. Throws `invalid_value`. */
function earliest(since: string | undefined): string {
  if (since === undefined) return "";
  const [, amount, unit = ""] = /^(\d{1,7})([smhd])$/.exec(since) ?? [];
  const milliseconds = Number(amount) * (units[unit] ?? NaN);
  if (Number.isNaN(milliseconds))
    throw fault("invalid_value", "--since takes a number with s, m, h or d behind it, such as 2d.");
  return new Date(Date.now() - milliseconds).toISOString();
}

async function* linesOf(folder: string): AsyncGenerator<{ readonly place: string; readonly line: string }> {
  for (const file of auditFiles(folder)) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number += 1;
      if (line !== "") yield { place: `${file}:${number}`, line };
    }
  }
}

function lineOf({ seq, time, caller, address, action, target, outcome }: AuditEntry): string {
  const who = caller === null ? (address ?? "") : `${caller.kind} ${caller.name}`;
  const facts = [localTime(time), who, target ?? "", outcome].filter(Boolean).join(", ");
  return `${seq} ${visible(action)} ${styled("dim", visible(facts))}`;
}

/** Shows who did what, from the files of the audit, whether a service runs or not. */
export async function showAudit(options: AuditOptions): Promise<number> {
  const { reader } = await readSettings(settingsOf({ ...options, secretsMayMiss: true }));
  const folder = auditFolder(reader.dataDirectory);
  if (options.verify) return verify(folder, options);
  const from = earliest(options.since);
  const entries: AuditEntry[] = [];
  for await (const { line } of linesOf(folder)) {
    const entry = readAuditLine(line);
    if (entry !== undefined && isWanted(entry, from, options)) entries.push(entry);
  }
  if (options.json) printJson({ entries, count: entries.length });
  else for (const entry of entries) printWrapped([lineOf(entry)]);
  if (entries.length === 0) printNote("Nothing of that is in the audit.");
  return exitCodes.ok;
}

function isWanted(
  { time, caller, action }: AuditEntry,
  from: string,
  { caller: wanted, refused }: AuditOptions,
): boolean {
  if (time < from || (refused === true && action !== "refused")) return false;
  return wanted === undefined || caller?.id === wanted || caller?.name === wanted;
}

const withoutHead = "it is missing, so lines may have been cut off. The next fact is written with a new one";

/** Follows the chain through all files, and names each line that does not fit, and where some are missing. */
async function verify(folder: string, { json }: AuditOptions): Promise<number> {
  const head = readAuditHead(folder);
  const check = auditCheck(head);
  const faults: string[] = [];
  const tell = (place: string, found: string | undefined): void => {
    if (found !== undefined) faults.push(`${place}: ${found}.`);
  };
  let count = 0;
  let end = folder;
  for await (const { place, line } of linesOf(folder)) {
    count += 1;
    end = place;
    tell(place, check.line(line));
  }
  tell(end, check.end());
  if (head === undefined && count > 0) tell(auditHeadFile(folder), withoutHead);
  if (json) printJson({ lines: count, faults });
  else if (faults.length === 0) printNote(`${count} lines, and each fits the one before.`);
  else for (const line of faults) printError(line);
  return faults.length === 0 ? exitCodes.ok : exitCodes.failed;
}
