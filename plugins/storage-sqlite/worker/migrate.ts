import { renameSync, rmSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { applicationId, formats, type FormatStep } from "./formats.ts";

/** The copy that is made of a file before it leaves a format. */
export const backupOf = (file: string, format: number): string => `${file}.format-${format}.backup`;

/**
 * Brings the file to the newest format: one transaction for all steps, so that an interruption leaves the old
 * format whole. A file with data in it is copied first.
 */
export function migrate(database: Database, file: string, steps: readonly FormatStep[] = formats): void {
  const format = database.pragma("user_version", { simple: true }) as number;
  if (format >= steps.length) return;
  if (format > 0) backUp(database, backupOf(file, format));
  const bring = database.transaction(() => {
    for (const step of steps.slice(format)) step(database);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${steps.length}`);
  });
  bring.immediate();
}

/** The copy gets its name when it is whole. */
function backUp(database: Database, file: string): void {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  database.prepare("VACUUM INTO ?").run(unfinished);
  renameSync(unfinished, file);
}
