import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../shape/product.ts";
import { publicNames } from "../shape/public-names.ts";

/** Names and their kinds, as in `{ "AppError": "class" }`. */
export type Names = Readonly<Record<string, string>>;

/** The public names of the SDK in a release, and what has changed since. A name of a new kind is in both. */
export interface NameRecord {
  /** The release, as in sdk/package.json. */
  readonly version: string;
  readonly names: Names;
  readonly added: Names;
  readonly removed: Names;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), "utf8"));

/** The record as it is stored; undefined when there is none. */
export const readRecord = (): NameRecord | undefined =>
  existsSync(path.join(root, "sdk/public-names.json"))
    ? (readJson("sdk/public-names.json") as NameRecord)
    : undefined;

/** What the SDK exports now. */
export const currentNames = (): Names =>
  Object.fromEntries(publicNames("sdk/index.ts").map(({ name, kind }) => [name, kind]));

/** The names of one surface that another does not have, or has with another kind. */
const without = (names: Names, others: Names): Names =>
  Object.fromEntries(Object.entries(names).filter(([name, kind]) => others[name] !== kind));

/** What has to stand in a record so that it is true of these names. */
export function compareNames(base: Pick<NameRecord, "version" | "names">, current: Names): NameRecord {
  const { version, names } = base;
  return {
    version,
    names,
    added: without(current, names),
    removed: without(names, current),
  };
}

/** The record of today: begun anew when there is none, or when it is of an earlier release. */
export function nextRecord(record: NameRecord | undefined): NameRecord {
  const { version } = readJson("sdk/package.json") as { readonly version: string };
  const current = currentNames();
  if (record?.version === version) return compareNames(record, current);
  return compareNames({ version, names: current }, current);
}

/** The changed names that a changelog does not name, in backticks, under Unreleased. */
export function unstatedNames({ added, removed }: NameRecord, changelog: string): readonly string[] {
  const [, unreleased = ""] = /^## Unreleased\n([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? [];
  const names = new Set([...Object.keys(added), ...Object.keys(removed)]);
  return [...names].filter((name) => !unreleased.includes(`\`${name}\``));
}
