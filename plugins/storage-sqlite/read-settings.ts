import path from "node:path";
import { PluginError } from "@pergola/sdk";
import type { JsonObject } from "@pergola/sdk";
import type { Durability } from "./messages.ts";

export interface Settings {
  /** A name without a folder. */
  readonly file: string;
  readonly durability: Durability;
}

/** The file of the database where the settings name none. */
export const usualFile = "pergola.db";

const refuse = (message: string, remedy: string): PluginError =>
  new PluginError("storage-sqlite", "read settings", message, { remedy });

const isDurability = (value: unknown): value is Durability => value === "power" || value === "process";

const isFileName = (value: unknown): value is string =>
  typeof value === "string" &&
  path.basename(value) === value &&
  /^[^.\0][^\0]*$/.test(value) &&
  !/^pergola\.(lock|pid)$/.test(value);

const names = new Set(["type", "file", "durability"]);

/** The part `storage` of the settings, with its defaults. Throws PluginError. */
export function readSettings(settings: JsonObject): Settings {
  const { file = usualFile, durability = "power" } = settings;
  const foreign = Object.keys(settings).find((name) => !names.has(name));
  if (foreign !== undefined)
    throw refuse(
      `storage.${foreign} is not a setting`,
      "The settings are storage.file and storage.durability.",
    );
  if (!isFileName(file))
    throw refuse(
      "storage.file is not the name of a file",
      "Give a name without a folder: the file lies in the data directory.",
    );
  if (!isDurability(durability))
    throw refuse("storage.durability has a value that is not allowed", 'Choose "power" or "process".');
  return { file, durability };
}
