import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const made: string[] = [];

/** A new empty folder, by its real path. It is removed when the process ends. */
export function temporaryFolder(prefix = "pergola-test-"): string {
  if (made.length === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), prefix));
  made.push(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}
