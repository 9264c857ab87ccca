import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { didYouMean } from "@pergola/sdk";
import { upward } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { printResult } from "./print-result.ts";

interface NewOptions {
  readonly json?: boolean;
}

/** What is read of a package.json. */
interface Package {
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly peerDependencies?: object;
}

/** What is read of `node_modules/.package-lock.json`. */
interface Note {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

/** The same place for the sources and for what is built of them. */
const templates = path.join(import.meta.dirname, "..", "templates");

const schema = createRequire(import.meta.url)("@pergola/sdk/manifest.schema.json") as {
  readonly properties: { readonly kind: { readonly enum: readonly string[] } };
};

/** Every kind of plugin that there is. */
export const pluginKinds = schema.properties.kind.enum;

/** `pergola plugins new`: makes a package of a kind in a folder of its own, below this one. */
export async function newPlugin(kind: string, given: string, options: NewOptions): Promise<void> {
  if (!pluginKinds.includes(kind)) {
    const hint = didYouMean(kind, pluginKinds);
    throw fault(
      "invalid_value",
      `"${kind}" is no kind of plugin.${hint} There are: ${pluginKinds.join(", ")}.`,
    );
  }
  const name = checkedName(kind, given);
  const id = `pergola-${kind}-${name}`;
  const folder = path.resolve(id);
  if (existsSync(folder))
    throw fault(
      "invalid_value",
      `${folder} exists already. Choose another name, or another folder to be in.`,
    );
  const files = new Map(["common", kind].flatMap((template) => [...filesOf(template)]));
  for (const [file, text] of files) write(path.join(folder, file), filled(text, kind, name));
  const steps = [`cd ${id}`, `npm install${unpublished(files.get("package.json") ?? "{}")}`, "npm test"];
  printResult(options, { id, kind, folder, files: [...files.keys()].toSorted(), steps }, [
    `Made ${id}. Go on with:`,
    ...steps.map((step) => `  ${step}`),
    `Its README.md says what is where, and how it is used.`,
  ]);
}

/** The name without what the package's name begins with anyway. Throws AppError `invalid_value`. */
function checkedName(kind: string, given: string): string {
  const name = given.replace(new RegExp(`^(pergola-)?(${kind}-)?`), "");
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 40) return name;
  const rule =
    "Use lower-case letters, digits and single hyphens, at most 40, a letter first: dice, web-cam.";
  throw fault("invalid_value", `"${given}" cannot be the name of a plugin. ${rule}`);
}

/** The files of a template, by their paths in the package. npm packs no file that is called .gitignore. */
const filesOf = (template: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(path.join(templates, template), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [
        path.relative(path.join(templates, template), file).replace(/^gitignore$/, ".gitignore"),
        readFileSync(file, "utf8"),
      ]),
  );

/** The text with the kind and the name in the places of those that stand for them. */
const filled = (text: string, kind: string, name: string): string =>
  text
    .replaceAll("sample-kind", kind)
    .replaceAll("sample-name", name)
    .replaceAll("sample_name", name.replaceAll("-", "_"))
    .replaceAll("SAMPLE_NAME", name.replaceAll("-", "_").toUpperCase());

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * The packages of Pergola that a package names, as they are installed here, where no registry has them: in a
 * clone, or installed from tarballs. npm then links them.
 */
function unpublished(packageJson: string): string {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(packageJson) as Package;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const folders = names.filter((name) => /^(@pergola\/|pergola$)/.test(name)).map(installedAt);
  return folders.includes(undefined) || isFromRegistry() ? "" : ` --no-save ${folders.join(" ")}`;
}

/** Where a package is, links followed. */
function installedAt(name: string): string | undefined {
  const places = upward(import.meta.dirname).map((folder) => path.join(folder, "node_modules", name));
  const found = places.find((folder) => existsSync(folder));
  return found && realpathSync(found);
}

/** npm notes beside the packages where each came from. */
function isFromRegistry(): boolean {
  const folder = installedAt("pergola");
  if (folder === undefined) return true;
  if (!/[\\/]node_modules[\\/]/.test(folder)) return false;
  const note = path.join(folder, "..", ".package-lock.json");
  const { packages } = JSON.parse(existsSync(note) ? readFileSync(note, "utf8") : "{}") as Note;
  return packages?.["node_modules/pergola"]?.resolved?.startsWith("file:") !== true;
}
