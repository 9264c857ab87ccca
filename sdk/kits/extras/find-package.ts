import { existsSync } from "node:fs";
import path from "node:path";

/** The folder and those above it, the root last. */
function upward(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upward(parent)];
}

/** The folder of a package that code in `folder` would import; undefined = it is not installed. */
export function findPackage(name: string, folder: string): string | undefined {
  return upward(folder)
    .map((each) => path.join(each, "node_modules", name))
    .find((place) => existsSync(path.join(place, "package.json")));
}

/** The nearest folder with a package.json, from `folder` upward. Throws Error when there is none. */
export function packageFolderOf(folder: string): string {
  const found = upward(folder).find((each) => existsSync(path.join(each, "package.json")));
  if (found === undefined) throw new Error(`${folder} belongs to no package.`);
  return found;
}
