import path from "node:path";
import { defined, didYouMean, messageOf } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { discoverPlugins, type FoundPlugin } from "../plugins/discover.ts";
import { pluginDigest } from "../plugins/plugin-digest.ts";
import { changeLock, readLock } from "../plugins/plugin-lock.ts";
import { supplyFact, versionText } from "../plugins/supply-audit.ts";
import { readSettings } from "../settings/read-settings.ts";
import {
  decide,
  declined,
  lockedAs,
  look,
  ofFolder,
  report,
  type SupplyOptions,
} from "./plugin-candidate.ts";
import { settingsOf } from "./service.ts";

/** Takes a plugin of the settings, or one whose files have changed, as it is now; the next start loads it. */
export async function approvePlugin(id: string, options: SupplyOptions): Promise<number> {
  const source = await readSettings(settingsOf(options));
  const { installed: dataDirectory } = source.reader;
  const lock = readLock(dataDirectory);
  const { all } = discoverPlugins(source, { lock });
  const found = all.find((plugin) => plugin.id === id && plugin.source !== "own");
  if (found === undefined) {
    const known = new Set(all.filter((plugin) => plugin.source !== "own").map((plugin) => plugin.id));
    throw fault("not_found", `"${id}" is no plugin of somebody else that is in use.${didYouMean(id, known)}`);
  }
  const before = lock[id]?.current;
  const isLinked = before?.files === null && before.source !== undefined;
  const files = isLinked ? null : await digestOf(found);
  const trusted = found.tier === "trusted";
  const candidate = { ...ofFolder(found, path.resolve(found.folder)), files, trusted, use: found.folder };
  const consent = await look(candidate, options, []);
  if (!(await decide(consent, undefined, options))) return declined(options);
  const kept = defined({
    source: before?.source,
    folder: before?.folder,
    dependencies: before?.dependencies,
  });
  const current = { ...lockedAs(consent), ...kept };
  const fact = supplyFact("approve", versionText(id, current));
  changeLock(dataDirectory, ({ [id]: entry = {} }) => ({ [id]: { ...entry, current } }), fact);
  return report("Approved", consent, options);
}

/** Rejects with AppError for files that cannot be pinned, as where packages were linked to develop it. */
function digestOf({ id, root, folder, tier }: FoundPlugin): Promise<string> {
  return pluginDigest(root).catch((cause: unknown) => {
    const add = `pergola plugins add ${folder}${tier === "trusted" ? " --trusted" : ""}`;
    const message = `${id} cannot be approved where it is: ${messageOf(cause)}.`;
    throw fault("invalid_value", `${message} Add it as it would be published: ${add}`, { cause });
  });
}
