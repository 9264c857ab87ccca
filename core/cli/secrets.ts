import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { SecretKeeper, SecretPlace } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { openKeeperAlone } from "../plugins/open-keeper.ts";
import { isApiKey, keyVariables } from "../settings/key-variables.ts";
import { readSettings, type SettingsSource } from "../settings/read-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";

const places: Readonly<Record<SecretPlace, string>> = {
  keyring: "the system's key store",
  file: "the encrypted file in the data directory",
};

const laterNote = "A service that runs uses it once it has been started again.";

interface Opened {
  readonly keeper: SecretKeeper;
  readonly source: SettingsSource;
}

async function open(options: CommonOptions): Promise<Opened> {
  const source = await readSettings(settingsOf(options));
  const keeper = await openKeeperAlone(source);
  if (keeper !== undefined) return { keeper, source };
  const message = "No plugin keeps secrets: take service-secrets out of `disabled` in the settings.";
  throw fault("invalid_value", message);
}

/** Shows what is kept; never a secret itself. */
export async function listSecrets(options: CommonOptions): Promise<void> {
  const { keeper } = await open(options);
  const secrets = await keeper.list();
  const lines = secrets.map(({ name, place }) => `${name}  in ${places[place]}`);
  printResult(options, { secrets }, lines.length > 0 ? lines : ["Nothing is kept."]);
}

/** Keeps what the person types, or what comes from a pipe. */
export async function setSecret(name: string, options: CommonOptions): Promise<number> {
  const { keeper } = await open(options);
  const value = await readSecret(name);
  if (value === undefined) return exitCodes.interrupted;
  const place = await keeper.set(name, value);
  printResult(options, { name, place }, [`${name} is kept in ${places[place]}.`]);
  if (options.json !== true) printNote(laterNote);
  return exitCodes.ok;
}

/** Undefined when the person leaves. */
async function readSecret(name: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  return (await import("./ask-person.ts")).askHidden(`The secret ${name}`);
}

/** Forgets a secret. */
export async function removeSecret(name: string, options: CommonOptions): Promise<number> {
  const { keeper } = await open(options);
  if (!(await keeper.delete(name))) {
    printNote(`There is no secret ${name}. \`pergola secrets list\` shows the names.`);
    return exitCodes.usage;
  }
  printResult(options, { name, removed: true }, [`${name} is forgotten.`]);
  return exitCodes.ok;
}

/** Keeps the keys of the environment, and says which lines of the shell's files set them. */
export async function importEnvironment(named: readonly string[], options: CommonOptions): Promise<number> {
  const { keeper, source } = await open(options);
  const names = named.length > 0 ? named : keyVariables(source, process.env, isApiKey);
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    printNote(`The environment has no ${missing.join(", ")}.`);
    return exitCodes.failed;
  }
  const kept: Imported[] = [];
  for (const name of names)
    kept.push({ name, place: await keeper.set(name, process.env[name] ?? ""), lines: linesWith(name) });
  printResult(options, { imported: kept }, kept.flatMap(described));
  if (kept.length === 0) printNote("The environment has no key that Pergola would use.");
  else if (options.json !== true) printNote(laterNote);
  return exitCodes.ok;
}

interface Imported {
  readonly name: string;
  readonly place: SecretPlace;
  /** Where the shell's files set it. */
  readonly lines: readonly string[];
}

function described({ name, place, lines }: Imported): readonly string[] {
  const kept = `${name} is kept in ${places[place]}.`;
  if (lines.length === 0)
    return [kept, "  remove it where it is set: that is not one of the shell's usual files"];
  return [kept, ...lines.map((line) => `  delete the line that sets it: ${line}`)];
}

/** Where shells and sessions take their variables from. */
const shellFiles = [
  ".profile",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".config/fish/config.fish",
  ".envrc",
];

/** `file:line` of each line of the shell's files that sets a variable. */
function linesWith(name: string): readonly string[] {
  const files = shellFiles.map((file) => path.join(homedir(), file)).concat("/etc/environment");
  const sets = new RegExp(`(^|\\s)${name}[= ]`);
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, index) => (sets.test(line) ? [`${file}:${index + 1}`] : [])),
    );
}
