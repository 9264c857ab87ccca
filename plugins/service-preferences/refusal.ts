import type { Caller, Preference } from "@pergola/sdk";
import { variableOf, type PreferenceFault } from "@pergola/sdk/host";

const places: Readonly<Record<Preference["from"], ((key: string) => string) | undefined>> = {
  flag: () => "a flag of the command line",
  environment: variableOf,
  file: () => "the settings file",
  stored: undefined,
  default: undefined,
};

/** Whether a stored value counts, or something stronger stands before it. */
export const isFree = ({ from }: Preference): boolean => places[from] === undefined;

/** Why this caller may not change a preference, or nobody can while the host runs. */
export function refusalOf(
  { key, schema, from }: Preference,
  { remote }: Caller,
  remoteAdmin: boolean,
): PreferenceFault | undefined {
  const isRestricted = schema["x-protected"] === true || schema["x-secret"] === true;
  if (remote && isRestricted && !remoteAdmin) {
    const place = "only from the service's own computer, or with server.remote_admin";
    const message = `${key} can be changed ${place}.`;
    return { key, code: "remote_not_allowed", message };
  }
  if (schema["x-early"] === true) {
    const message =
      `${key} is needed before the store is open; ` +
      `set it in the settings file, or as ${variableOf(key)}.`;
    return { key, code: "set_elsewhere", message };
  }
  const place = places[from]?.(key);
  if (place === undefined) return undefined;
  return { key, code: "set_elsewhere", message: `${key} is fixed by ${place}; change it there.` };
}
