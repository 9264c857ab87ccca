import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject } from "@pergola/sdk";
import { ownFiles } from "../check/own-files.ts";

/** A plugin that its author works on. */
export interface Sources {
  /** The real path of its package, or of its single file. */
  readonly path: string;
  readonly isFile: boolean;
}

/** Whether its package has the script `build`. */
export function hasBuild({ path: folder, isFile }: Sources): boolean {
  const file = path.join(folder, "package.json");
  if (isFile || !existsSync(file)) return false;
  const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { readonly scripts?: unknown };
  return isObject(scripts) && scripts["build"] !== undefined;
}

/** What a build writes, by custom. */
const isBuilt = (file: string): boolean => ["dist", "build", "out"].includes(file.split(path.sep)[0] ?? "");

/** Changes when a source is saved; empty while nothing is there. What a build writes is no source. */
export function stampOf(sources: Sources): string {
  const { path: place, isFile } = sources;
  try {
    const files = isFile ? [place] : ownFiles(place);
    const counted =
      isFile || !hasBuild(sources) ? files : files.filter((file) => !isBuilt(path.relative(place, file)));
    return counted
      .map((file) => {
        const { mtimeMs, size } = statSync(file);
        return `${file} ${mtimeMs} ${size}`;
      })
      .join("\n");
  } catch {
    // A file that is being replaced, or a package.json that is half written: the next look tells.
    return "";
  }
}
