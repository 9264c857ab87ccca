import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";

/** Writes files below a fresh folder; its real path. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder("pergola-instructions-");
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
