import type { Json, JsonObject } from "@pergola/sdk";
import { mapTexts, type Parts } from "@pergola/sdk/host";

/** What is not to stand in a recording. */
export interface Private {
  /** Absolute paths of folders, by what stands for them. */
  readonly folders: readonly (readonly [folder: string, placeholder: string])[];
  /** The ids of calls, by what stands for them. */
  readonly callIds: ReadonlyMap<string, string>;
}

const secretNames = [
  "(?:api|access|private)_?key",
  "token",
  "secret",
  "pass(?:word|wd|phrase)",
  "authorization",
  "credentials?",
];
/** The end of a field's name in snake_case. */
const secretName = new RegExp(`(?:^|_)(?:${secretNames.join("|")})$`);

const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();

/** The value without texts in fields that are called like secrets, also in texts that hold JSON. */
function withoutNamedSecrets(value: Json): Json {
  if (typeof value === "string") return /^\s*[[{]/.test(value) ? cleanJsonText(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNamedSecrets);
  const entries = Object.entries(value as JsonObject).map(([name, item]): [string, Json] => {
    const isSecret = typeof item === "string" && item !== "" && secretName.test(snakeCase(name));
    return [name, isSecret ? "[redacted]" : withoutNamedSecrets(item)];
  });
  return Object.fromEntries(entries);
}

/** The text as it is where nothing in it had to go. */
function cleanJsonText(text: string): string {
  try {
    const value = JSON.parse(text) as Json;
    const clean = JSON.stringify(withoutNamedSecrets(value));
    return clean === JSON.stringify(value) ? text : clean;
  } catch {
    return text;
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** A path, and not the beginning of a longer name. */
const pathFinder = (folder: string): RegExp => new RegExp(`${escaped(folder)}(?![\\w-]|\\.\\w)`, "g");

/** Ids that are shorter may be any text. */
const leastIdLength = 8;

/** Puts placeholders for folders, and numbers for ids that are made anew in every run. */
function placeholders({ folders, callIds }: Private): (text: string) => string {
  const finders = folders
    .filter(([folder]) => folder.length > 2)
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([folder, placeholder]) => [pathFinder(folder), placeholder] as const);
  const ids = [...callIds].filter(([id]) => id.length >= leastIdLength);
  const results = new Map<string, string>();
  const numberOf = (id: string): string => {
    if (!results.has(id)) results.set(id, `res_${results.size + 1}`);
    return results.get(id)!;
  };
  return (text) => {
    const placed = finders.reduce((path, [find, name]) => path.replaceAll(find, name), text);
    const named = ids.reduce((known, [id, name]) => known.replaceAll(id, name), placed);
    return named.replaceAll(/\bres_[\da-f]{32}\b/g, numberOf);
  };
}

/** A function that takes out of a value what is private, and what is different in every run. */
export function cleanerFor(parts: Parts, hidden: Private): <T>(value: T) => T {
  const place = placeholders(hidden);
  return <T>(value: T): T => {
    const redacted = parts.redactOutput(parts.redactJson(value as Json));
    return mapTexts(withoutNamedSecrets(redacted), place) as T;
  };
}
