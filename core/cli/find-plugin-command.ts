import { createRequire } from "node:module";
import path from "node:path";
import { importFile } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import { readSettings } from "../settings/read-settings.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";

/** What to install where a command is missing. */
export interface PluginCommand {
  readonly name: string;
  readonly package: string;
}

/**
 * The module that a plugin has for a command. Only Pergola's own plugins count, for it runs in this process,
 * with all that the owner may. Throws AppError `not_found` where the plugin is left out, or switched off.
 */
export async function findPluginCommand(
  options: CommonOptions,
  { name, package: missing }: PluginCommand,
): Promise<unknown> {
  const { all } = discoverPlugins(await readSettings({ ...settingsOf(options), secretsMayMiss: true }));
  const found = all.find(({ source, provides }) => source === "own" && provides.commands?.includes(name));
  if (found === undefined)
    throw fault("not_found", `No plugin has this command. Install one: npm install ${missing}`);
  if (found.disabled) throw fault("not_found", `The plugin ${found.id} is off. Take it out of disabled.`);
  const { resolve } = createRequire(path.join(found.folder, "package.json"));
  return importFile(resolve(`${found.package}/commands/${name}`));
}
