import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { configurationFolder } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { settingsFileIn } from "../settings/find-settings.ts";
import { settingsTemplate } from "../settings/settings-template.ts";
import type { CommonOptions } from "./common-options.ts";
import { printResult } from "./print-result.ts";

interface InitOptions extends Pick<CommonOptions, "settings" | "json"> {
  readonly force?: boolean;
}

/** The person's own settings file. Throws AppError where another one is read in its place. */
function ownFile(): string {
  const folder = configurationFolder({});
  const file = path.join(folder, "pergola.config.yaml");
  const other = settingsFileIn(folder);
  if (other === undefined || other === file) return file;
  throw fault("in_use", `Your settings are in ${other}. Edit that file, or move it away first.`);
}

/** `pergola init`: writes a settings file that sets nothing, and names what can be set. */
export async function init({ settings, force = false, ...options }: InitOptions): Promise<void> {
  const file = settings === undefined ? ownFile() : path.resolve(settings);
  if (path.extname(file) === ".json")
    throw fault("invalid_value", "JSON has no comments: name a file that ends in .yaml.");
  const replaced = existsSync(file);
  if (replaced && !force)
    throw fault("in_use", `${file} is there already. Edit it, or overwrite it with --force.`);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, settingsTemplate(), { mode: 0o600, flag: force ? "w" : "wx" });
  printResult(options, { file, replaced }, [
    `Wrote ${file}. It changes nothing yet: take away the # in front of what you want to set.`,
  ]);
}
