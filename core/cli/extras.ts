import { didYouMean } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import { readSettings } from "../settings/read-settings.ts";
import { fetchExtra, planInstallation } from "../supply/fetch-extra.ts";
import { findExtras, type FoundExtra } from "../supply/find-extras.ts";
import { isConfirmed } from "./ask-person.ts";
import { exitCodes } from "./exit-codes.ts";
import { printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled } from "./visible.ts";

interface AddOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** The extras of Pergola's own plugins. */
async function ownExtras(options: CommonOptions): Promise<readonly FoundExtra[]> {
  const { all } = discoverPlugins(await readSettings(settingsOf(options)));
  return findExtras(all.filter(({ source }) => source === "own").map(({ folder }) => folder));
}

const lineOf = ({ name, purpose, megabytes, isInstalled }: FoundExtra): string => {
  const mark = isInstalled ? styled("green", "✓") : styled("dim", "·");
  return `${mark} ${name} ${styled("dim", `${megabytes} MB`)} ${purpose}`;
};

const facts = ({ name, purpose, megabytes, packages, isInstalled }: FoundExtra) => ({
  name,
  purpose,
  megabytes,
  packages,
  installed: isInstalled,
});

export async function listExtras(options: CommonOptions): Promise<void> {
  const extras = await ownExtras(options);
  printResult(options, { extras: extras.map(facts) }, extras.map(lineOf));
}

/** Those with these names. Throws AppError `not_found`. */
function chosen(names: readonly string[], extras: readonly FoundExtra[]): readonly FoundExtra[] {
  const known = new Set(extras.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw fault(
      "not_found",
      `There is no extra "${unknown}".${didYouMean(unknown, known)} \`pergola extras list\` names them.`,
    );
  return extras.filter(({ name }) => names.includes(name));
}

/** What is fetched, how large it is, and what npm is to do. */
function announce(extra: FoundExtra): void {
  const { name, megabytes, packages, scripts } = extra;
  printNote(`${name}: ${packages.join(", ")}, with what they need about ${megabytes} MB.`);
  printNote(
    scripts.length === 0 ? "No install scripts run." : `Runs the install script of ${scripts.join(", ")}.`,
  );
  const { words, folder } = planInstallation(extra);
  printNote(`  npm ${words.join(" ")}, in ${folder}`);
}

/** Fetches extras, after it has said what that is. */
export async function fetchExtras(names: readonly string[], options: AddOptions): Promise<number> {
  const missing = chosen(names, await ownExtras(options)).filter(({ isInstalled }) => !isInstalled);
  missing.forEach(announce);
  if (missing.length > 0 && options.yes !== true && !(await isConfirmed("Fetch this?", "--yes"))) {
    printNote("Nothing was fetched.");
    return exitCodes.failed;
  }
  for (const extra of missing) {
    printNote(`Fetching ${extra.name} …`);
    await fetchExtra(extra);
  }
  const extras = chosen(names, await ownExtras(options));
  const lost = extras.find(({ isInstalled }) => !isInstalled);
  if (lost !== undefined)
    throw fault("invalid_value", `npm has fetched ${lost.name}, but not to where ${lost.folder} finds it.`);
  printResult(options, { extras: extras.map(facts) }, extras.map(lineOf));
  return exitCodes.ok;
}
