import { createRequire } from "node:module";
import path from "node:path";
import { importFile } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import { readSettings } from "../settings/read-settings.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";

/** The commands whose code is a plugin's, and where each is found. */
const packages = {
  acp: "@pergola/bridge-acp",
  connect: "@pergola/bridge-connect",
  mcp: "@pergola/bridge-mcp-server",
  "mcp-import": "@pergola/bridge-mcp-client",
  import: "@pergola/feature-transfer",
} as const;

/**
 * What the plugin with a command exports for it. Only Pergola's own, for it runs in this process, with all
 * that the owner may. Throws AppError `not_found` where it is left out, or switched off.
 */
export async function importCommand<T>(name: keyof typeof packages, options: CommonOptions): Promise<T> {
  const { all } = discoverPlugins(await readSettings({ ...settingsOf(options), secretsMayMiss: true }));
  const found = all.find(({ source, provides }) => source === "own" && provides.commands?.includes(name));
  if (found === undefined)
    throw fault("not_found", `No plugin has this command. Install one: npm install ${packages[name]}`);
  if (found.disabled) throw fault("not_found", `The plugin ${found.id} is off. Take it out of disabled.`);
  const { resolve } = createRequire(path.join(found.folder, "package.json"));
  return importFile(resolve(`${found.package}/commands/${name}`)) as Promise<T>;
}
