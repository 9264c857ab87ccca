import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { importFile } from "@pergola/sdk/host";

/**
 * Where packages lie whose code the build has put into one file with the core's. Each finds its own files and
 * the packages it needs from there, as if its code had been loaded from there.
 */
const places = new Map<string, string>();

/** The plugins in that file, by package and version. Empty where the core runs from files of its own. */
const plugins = new Map<string, () => unknown>();

interface Found {
  readonly package: string;
  readonly version: string;
  readonly entry: string;
}

/** How the code of a plugin that was found is run; undefined if that version of it is not in the file. */
export function bundledCode({ package: name, version, entry }: Found): (() => unknown) | undefined {
  const run = plugins.get(`${name}@${version}`);
  if (run !== undefined) places.set(name, entry);
  return run;
}

/** Says where the core's code lies, and adds plugins by `package@version`; the build writes the call. */
export function addBundled(folder: string, code: Readonly<Record<string, () => unknown>>): void {
  places.set("pergola", path.join(folder, "main.cjs"));
  for (const [name, run] of Object.entries(code)) plugins.set(name, run);
}

/** The entry of a package: a part that several plugins share is found by whoever needs it. */
function placeOf(name: string): string {
  const known = places.get(name);
  if (known !== undefined) return known;
  for (const from of places.values())
    try {
      const place = createRequire(from).resolve(name);
      places.set(name, place);
      return place;
    } catch {
      // It does not need that package.
    }
  throw new Error(`The package ${name} is not installed.`);
}

/** What `import.meta` is in the code of a package. */
export const metaOf = (name: string): Pick<ImportMeta, "dirname" | "filename" | "url"> => ({
  get filename() {
    return placeOf(name);
  },
  get dirname() {
    return path.dirname(placeOf(name));
  },
  get url() {
    return pathToFileURL(placeOf(name)).href;
  },
});

/** Loads what a package needs and is not in the file. */
export function outside(name: string): NodeJS.Require {
  return createRequire(placeOf(name));
}

/**
 * The same for what is imported: the build puts a module beside the package's entry that imports from there,
 * for only a module is given what a package has for those that import it.
 */
export async function importOutside(name: string, specifier: string): Promise<unknown> {
  const file = path.join(path.dirname(placeOf(name)), "outside.js");
  const { default: loads } = (await importFile(file)) as {
    readonly default: Readonly<Record<string, () => Promise<unknown>>>;
  };
  const load = loads[specifier];
  if (load === undefined) throw new Error(`${file} does not know ${specifier}: install ${name} again.`);
  return load();
}
