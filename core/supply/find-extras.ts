import { readFileSync } from "node:fs";
import path from "node:path";
import { extrasOf, findPackage, type Extra } from "@pergola/kit-extras";

/** An extra, and the folder of the package that names it. */
export interface FoundExtra extends Extra {
  readonly folder: string;
}

const isKit = (name: string): boolean => name.startsWith("@pergola/kit-");

/** The folders of the kits that a package brings. */
function kitsOf(folder: string): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies)
    .filter(isKit)
    .flatMap((name) => findPackage(name, folder) ?? []);
}

/** The extras that packages name, or the kits that they bring: each once, in order of their names. */
export function findExtras(folders: readonly string[]): readonly FoundExtra[] {
  const found = new Map<string, FoundExtra>();
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const extra of extrasOf(folder)) found.set(extra.name, { ...extra, folder });
    kitsOf(folder).forEach(visit);
  };
  folders.forEach(visit);
  return [...found.keys()].toSorted().map((name) => found.get(name)!);
}
