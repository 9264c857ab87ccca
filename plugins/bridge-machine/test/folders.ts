import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError } from "@pergola/sdk";
import type { RestoringFiles } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { createFiles, type FilesOptions } from "../files.ts";

/**
 * A working directory, a data directory with a secret, a home and a place outside of all, under one temporary
 * folder.
 */
export function folders() {
  const root = temporaryFolder("pergola-door-");
  const [work, data, home, outside] = ["ws", "data", "home", "outside"].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string];
  for (const folder of [work, data, home, outside, path.join(data, "workspaces")]) mkdirSync(folder);
  writeFileSync(path.join(data, "secrets.json"), "SECRET");
  writeFileSync(path.join(outside, "notes.txt"), "OUTSIDE");
  return { root, work, data, home, outside, rules: { workingDirectory: work, dataDirectory: data, home } };
}

export type Folders = ReturnType<typeof folders>;

/** 2026-11-20T10:15:02Z. */
export const noon = Date.UTC(2026, 10, 20, 10, 15, 2);

export const filesOf = ({ rules }: Folders, options: Partial<FilesOptions> = {}): RestoringFiles =>
  createFiles({
    ...rules,
    mayReach: () => false,
    backupDays: () => 7,
    clock: { now: () => noon },
    ...options,
  });

/** The code of the ToolError that the work ends with; anything else is handed on. */
export async function codeOf(work: unknown): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await (typeof work === "function" ? (work as () => unknown)() : work))}`;
  } catch (error) {
    if (ToolError.is(error)) return error.code;
    throw error;
  }
}

/** Every regular file below a folder, with its content, by path. */
export const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );
