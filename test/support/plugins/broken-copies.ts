import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";

/** One place of a package, and what stands there instead: the text of a file, or a part of it. */
export interface Break {
  readonly file: string;
  readonly from?: string | RegExp;
  readonly to: string;
}

/**
 * Copies a package that `pergola plugins new` has made, as `web-cam` of a kind, under another name, with one
 * place changed, and builds it as its own script does. Gives the new folder.
 */
export function brokenCopy(made: string, name: string, { file, from, to }: Break): string {
  const folder = made.replace("web-cam", name);
  cpSync(made, folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name: own } of files) {
    const full = path.join(parentPath, own);
    const text = readFileSync(full, "utf8");
    writeFileSync(full, text.replaceAll("web-cam", name).replaceAll("web_cam", name.replaceAll("-", "_")));
  }
  const place = path.join(folder, file);
  const before = from === undefined ? "" : readFileSync(place, "utf8");
  const after = from === undefined ? to : before.replace(from, to);
  if (after === before) throw new Error(`${file} of ${made} has no ${String(from)}`);
  writeFileSync(place, after);
  buildPackage(folder);
  return folder;
}

/** The script `build` of the templates, without the programs that it takes. */
export function buildPackage(folder: string): void {
  buildSync({
    entryPoints: [path.join(folder, "index.ts")],
    absWorkingDir: folder,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    outdir: path.join(folder, "dist"),
  });
}
