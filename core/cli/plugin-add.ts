import { defined, didYouMean } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { readLock, type LockEntry } from "../plugins/plugin-lock.ts";
import { readSettings, type SettingsSource } from "../settings/read-settings.ts";
import { keepVersion } from "../supply/keep-version.ts";
import { readSource, sourceOfText, sourceText } from "../supply/plugin-source.ts";
import { stagePlugin, type StagedPlugin } from "../supply/stage-plugin.ts";
import { exitCodes } from "./exit-codes.ts";
import {
  checkKind,
  decide,
  declined,
  keep,
  lockedAs,
  look,
  report,
  type SupplyOptions,
} from "./plugin-candidate.ts";
import { linkPlugin } from "./plugin-link.ts";
import { printNote } from "./print-result.ts";
import { settingsOf } from "./service.ts";

/** Fetches a plugin, shows what it asks for, and puts it where the next start finds it. */
export async function addPlugin(text: string, options: SupplyOptions): Promise<number> {
  const source = await readSettings(settingsOf(options));
  if (options.link === true) return linkPlugin(text, source, options);
  const { installed: dataDirectory } = source.reader;
  const staged = await stagePlugin(readSource(text), {
    dataDirectory,
    ...defined({ offline: options.offline }),
  });
  try {
    return await adopt(staged, undefined, source, options);
  } finally {
    staged.discard();
  }
}

/** Looks for newer versions of one plugin or of all that were added, and takes them on. */
export async function updatePlugins(id: string | undefined, options: SupplyOptions): Promise<number> {
  const source = await readSettings(settingsOf(options));
  const { installed: dataDirectory } = source.reader;
  const lock = readLock(dataDirectory);
  const added = Object.entries(lock).filter(
    ([, { current }]) => current?.source !== undefined && current.files !== null,
  );
  const chosen = added.filter(([each]) => id === undefined || each === id);
  if (id !== undefined && chosen.length === 0) {
    const known = new Set(added.map(([each]) => each));
    throw fault("not_found", `"${id}" was not added by pergola plugins add.${didYouMean(id, known)}`);
  }
  let code: number = exitCodes.ok;
  for (const [each, entry] of chosen) {
    const staged = await stagePlugin(sourceOfText(entry.current?.source ?? ""), {
      dataDirectory,
      ...defined({ offline: options.offline }),
    });
    try {
      if (staged.files === entry.current?.files) printNote(`${each} ${entry.current.version} is up to date.`);
      else code = Math.max(code, await adopt(staged, entry, source, options));
    } finally {
      staged.discard();
    }
  }
  return code;
}

/** The version that a registry has under a number must be the one that the person knows under it. */
function checkSameBytes({ source, manifest, integrity }: StagedPlugin, entry: LockEntry | undefined): void {
  const same = [entry?.current, entry?.previous].find((each) => each?.version === manifest.version);
  if (source.kind !== "npm" || same?.source === undefined || same.integrity === integrity) return;
  throw fault(
    "invalid_value",
    `Integrity mismatch: ${manifest.id} ${manifest.version} had other bytes when you approved it ` +
      `(${same.integrity}, now ${integrity}). A published version never changes: ask its author first.`,
  );
}

/** An update must not turn one plugin into another. */
function checkSamePlugin({ id }: CompleteManifest, found: LockEntry | undefined, known: LockEntry): void {
  if (found?.current?.grantedAt === known.current?.grantedAt) return;
  const message = `What is there now is another plugin: ${id}. Add it with pergola plugins add.`;
  throw fault("invalid_value", message);
}

async function adopt(
  staged: StagedPlugin,
  known: LockEntry | undefined,
  { reader }: SettingsSource,
  options: SupplyOptions,
): Promise<number> {
  const { manifest, dependencies } = staged;
  const { installed: dataDirectory } = reader;
  const before = readLock(dataDirectory)[manifest.id];
  checkSameBytes(staged, before);
  if (known !== undefined) checkSamePlugin(manifest, before, known);
  const agreed = known?.current;
  const trusted = options.trusted ?? agreed?.trusted ?? false;
  checkKind(manifest.kind, trusted);
  const consent = await look({ ...pickStaged(staged), trusted, use: staged.package }, options);
  if (!(await decide(consent, agreed, options))) return declined(options);
  const folder = await keepVersion(dataDirectory, staged);
  const source = sourceText(staged.source);
  // What its tools do is compared at the start where it could not be tried now.
  const tools = consent.tools ?? agreed?.tools ?? null;
  const locked = { ...lockedAs(consent), tools, source, folder, dependencies };
  keep(dataDirectory, manifest.id, locked, known === undefined ? "add" : "update");
  return report("Added", consent, options);
}

const pickStaged = ({ manifest, source, ...staged }: StagedPlugin) => ({
  id: manifest.id,
  package: manifest.package,
  version: manifest.version,
  source: sourceText(source),
  permissions: manifest.permissions,
  integrity: staged.integrity,
  publisher: staged.publisher,
  files: staged.files,
  fileCount: staged.fileCount,
  dependencies: staged.dependencies,
  scripts: staged.scripts,
});
