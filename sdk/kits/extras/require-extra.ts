import path from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@pergola/sdk";
import { extrasOf } from "./extras-of.ts";
import { packageFolderOf } from "./find-package.ts";

/**
 * What an extra is needed for and the command that fetches it, in two sentences; undefined where it is
 * installed. `url`: `import.meta.url` of a module of the package that names the extra in its package.json.
 */
export function missingExtra(name: string, url: string): string | undefined {
  const extras = extrasOf(packageFolderOf(path.dirname(fileURLToPath(url))));
  const extra = extras.find((one) => one.name === name);
  if (extra === undefined) throw new Error(`The package.json of ${url} names no extra "${name}".`);
  if (extra.isInstalled) return undefined;
  const { purpose, megabytes } = extra;
  return (
    `${purpose} needs the extra "${name}", which is not installed. ` +
    `\`pergola extras add ${name}\` fetches it (about ${megabytes} MB).`
  );
}

/** Throws ToolError `unavailable` where the extra is not installed; otherwise as `missingExtra`. */
export function requireExtra(name: string, url: string): void {
  const message = missingExtra(name, url);
  if (message === undefined) return;
  throw new ToolError("unavailable", message, {
    hint: "Tell the person to run that command in a terminal; then call this again.",
  });
}
