import { readFileSync } from "node:fs";
import type { Environment } from "@pergola/sdk/host";
import { isSecretName, keyVariables } from "../settings/key-variables.ts";
import type { SettingsSource } from "../settings/read-settings.ts";
import { note, type Finding } from "./findings.ts";

/** What to do with keys in the environment. */
export const importEnv = "`pergola secrets import-env` keeps them instead";

/** Keys that every program of this account can read, since the service's process was started with them. */
export function serviceKeys(source: SettingsSource, pid: number): readonly Finding[] {
  const names = keyVariables(source, environmentOf(pid), isSecretName);
  if (names.length === 0) return [];
  return [
    note({
      id: "keys_of_service",
      what: "Keys in the service's environment",
      detail: `process ${pid} shows ${names.join(", ")} to other programs of your account`,
      remedy: `${importEnv}, from its next start on`,
    }),
  ];
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
