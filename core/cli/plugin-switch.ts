import { didYouMean } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { discoverPlugins, type Discovery } from "../plugins/discover.ts";
import { openSupply } from "../plugins/open-supply.ts";
import { differences } from "../plugins/plugin-grants.ts";
import { changeLock, readLock, type Lock, type LockEntry } from "../plugins/plugin-lock.ts";
import { hasApprovedFiles } from "../plugins/previous-version.ts";
import { StrikeBook } from "../plugins/strike-book.ts";
import { atCommandLine, supplyFact, versionText } from "../plugins/supply-audit.ts";
import { switchPlugin } from "../plugins/switch-plugin.ts";
import { readSettings } from "../settings/read-settings.ts";
import { removeOthers } from "../supply/keep-version.ts";
import { isConfirmed } from "./ask-person.ts";
import { exitCodes } from "./exit-codes.ts";
import { printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";

interface ConfirmOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** The entry of a plugin that was added or approved. Throws AppError `not_found`. */
function entryOf(id: string, lock: Lock): LockEntry {
  const entry = lock[id];
  if (entry?.current !== undefined) return entry;
  const known = new Set(Object.keys(lock).filter((each) => lock[each]?.current !== undefined));
  throw fault("not_found", `"${id}" was neither added nor approved.${didYouMean(id, known)}`);
}

/** What comes with Pergola cannot be taken out. Throws AppError `invalid_value`. */
function refuseOwn(id: string, { all }: Discovery): void {
  if (!all.some((found) => found.id === id && found.source === "own")) return;
  const message = `${id} comes with Pergola. To switch it off: pergola plugins disable ${id}.`;
  throw fault("invalid_value", message);
}

/** Takes out a plugin that was added, with all its files; of one that the settings name, the approval. */
export async function removePlugin(id: string, options: CommonOptions): Promise<void> {
  const source = await readSettings(settingsOf(options));
  const { reader } = source;
  const lock = readLock(reader.installed);
  if (lock[id]?.current === undefined) refuseOwn(id, discoverPlugins(source, { lock }));
  const { current } = entryOf(id, lock);
  const fact = supplyFact("remove", current === undefined ? id : versionText(id, current));
  changeLock(reader.installed, () => ({ [id]: undefined }), fact);
  removeOthers(reader.installed, id, undefined);
  new StrikeBook(reader.installed, Date).forget(id);
  const isNamed = current?.folder === undefined;
  if (isNamed) printNote(`The settings still name ${id}: it is left out until you approve it again.`);
  printResult(options, { id, removed: true }, [
    `Removed ${id}. A service that runs keeps it until it is started again.`,
  ]);
}

async function turn(id: string, enabled: boolean, options: CommonOptions): Promise<void> {
  const source = await readSettings(settingsOf(options));
  const supply = openSupply(source);
  const discovery = discoverPlugins(source, { lock: supply.lock });
  switchPlugin(id, enabled, {
    ...supply,
    discovery,
    disabled: source.disabled,
    clock: Date,
    caller: atCommandLine,
  });
  const word = enabled ? "Enabled" : "Disabled";
  printResult(options, { id, enabled }, [`${word} ${id}, from the next start of the service.`]);
}

/** Switches a plugin on from the next start, and closes its breaker. */
export const enablePlugin = (id: string, options: CommonOptions): Promise<void> => turn(id, true, options);

/** Switches a plugin off from the next start. */
export const disablePlugin = (id: string, options: CommonOptions): Promise<void> => turn(id, false, options);

/** Goes back to the version before the last update; once more comes forward again. */
export async function rollBackPlugin(id: string, options: ConfirmOptions): Promise<number> {
  const { reader } = await readSettings(settingsOf(options));
  const { installed: dataDirectory } = reader;
  const { current, previous } = entryOf(id, readLock(dataDirectory));
  if (current === undefined || previous === undefined)
    throw fault("not_found", `There is no version of ${id} to go back to.`);
  if (!(await hasApprovedFiles(dataDirectory, previous)))
    throw fault(
      "invalid_value",
      `${id} ${previous.version} has changed since you approved it, and is not used. Add it again.`,
    );
  const more = differences(current, previous);
  for (const each of more) printNote(`It asks for more than ${current.version}: ${each}`);
  if (
    more.length > 0 &&
    options.yes !== true &&
    !(await isConfirmed(`Go back to ${previous.version}?`, "--yes"))
  ) {
    printNote("Nothing was changed.");
    return exitCodes.failed;
  }
  const goBack = ({ [id]: entry = {} }: Lock): Lock => ({
    [id]: { ...entry, current: previous, previous: current },
  });
  changeLock(dataDirectory, goBack, supplyFact("rollback", versionText(id, previous)));
  new StrikeBook(dataDirectory, Date).close(id);
  const { version } = previous;
  printResult(options, { id, version, from: current.version }, [
    `${id} is ${version} again, from the next start of the service.`,
  ]);
  return exitCodes.ok;
}
