import { readFileSync } from "node:fs";
import type { Environment } from "../settings/folders.ts";
import { isApiKey, isSecretName, keyVariables } from "../settings/key-variables.ts";
import type { SettingsSource } from "../settings/read-settings.ts";
import { execve } from "./clean-start.ts";
import { note, type Finding } from "./doctor-findings.ts";
import { readNote } from "./service-note.ts";

const remedy = "`pergola secrets import-env` keeps them instead";
const tooOld =
  `Node ${process.versions.node} leaves them readable in a service that is started with them; ` +
  "22.15 and newer do not";

/** Keys that every program of this account can read, of the service on this data and of this shell. */
export const keyFindings = (source: SettingsSource): readonly Finding[] => [
  ...ofService(source),
  ...ofShell(source),
];

function ofShell(source: SettingsSource): readonly Finding[] {
  const names = keyVariables(source, process.env, isApiKey);
  if (names.length === 0) return [];
  const detail = `${names.join(", ")}: other programs of your account can read them; ${remedy}`;
  return [note("Keys in the environment", execve === undefined ? `${detail}. ${tooOld}` : detail)];
}

function ofService(source: SettingsSource): readonly Finding[] {
  const pid = readNote(source.reader.dataDirectory)?.pid;
  if (pid === undefined) return [];
  const names = keyVariables(source, environmentOf(pid), isSecretName);
  if (names.length === 0) return [];
  const shown = `process ${pid} shows ${names.join(", ")} to other programs of your account`;
  return [note("Keys in the service's environment", `${shown}; ${remedy}, from its next start on`)];
}

/** The variables that a process was started with, as the system shows them; none where it does not. */
function environmentOf(pid: number): Environment {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]));
  } catch {
    return {};
  }
}
