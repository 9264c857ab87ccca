import { realpathSync } from "node:fs";
import { fault } from "../fault.ts";
import { readManifest } from "../plugins/manifest.ts";
import type { SettingsSource } from "../settings/read-settings.ts";
import { readSource } from "../supply/plugin-source.ts";
import {
  checkKind,
  decide,
  declined,
  keep,
  lockedAs,
  look,
  ofFolder,
  report,
  type SupplyOptions,
} from "./plugin-candidate.ts";

/**
 * Uses a folder where it lies. What its author changes counts at once; what it may do does not grow unseen.
 */
export async function linkPlugin(
  text: string,
  source: SettingsSource,
  options: SupplyOptions,
): Promise<number> {
  const { kind, spec } = readSource(text);
  if (kind !== "folder" || options.trusted === true)
    throw fault(
      "invalid_value",
      "--link takes a folder, and runs it in a process of its own; --trusted does not go with it.",
    );
  const folder = realpathSync(spec);
  const manifest = readManifest(folder);
  checkKind(manifest.kind, false);
  const { installed: dataDirectory } = source.reader;
  const consent = await look(
    { ...ofFolder(manifest, folder), files: null, trusted: false, use: folder },
    options,
  );
  if (!(await decide(consent, undefined, options))) return declined(options);
  const locked = { ...lockedAs(consent), source: `folder:${folder}`, folder };
  keep(dataDirectory, manifest.id, locked, "link");
  return report("Linked", consent, options);
}
