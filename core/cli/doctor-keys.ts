import { note, type Finding } from "../doctor/findings.ts";
import { importEnv, serviceKeys } from "../doctor/service-keys.ts";
import { isApiKey, keyVariables } from "../settings/key-variables.ts";
import type { SettingsSource } from "../settings/read-settings.ts";
import { execve } from "./clean-start.ts";
import { readNote } from "./service-note.ts";

const tooOld =
  `Node ${process.versions.node} leaves them readable in a service that is started with them; ` +
  "22.15 and newer do not";

/** Keys that every program of this account can read, of the service on this data and of this shell. */
export function keyFindings(source: SettingsSource): readonly Finding[] {
  const pid = readNote(source.reader.dataDirectory)?.pid;
  const ofService = pid === undefined ? [] : serviceKeys(source, pid);
  return [...ofService, ...shellKeys(source)];
}

function shellKeys(source: SettingsSource): readonly Finding[] {
  const names = keyVariables(source, process.env, isApiKey);
  if (names.length === 0) return [];
  return [
    note({
      id: "keys_of_shell",
      what: "Keys in the environment",
      detail: `${names.join(", ")}: other programs of your account can read them`,
      remedy: execve === undefined ? `${importEnv}. ${tooOld}` : importEnv,
    }),
  ];
}
