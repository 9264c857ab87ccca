import { realpathSync } from "node:fs";
import path from "node:path";
import type { CommonOptions } from "../common-options.ts";

/** What the system runs at each login. */
export interface StartCommand {
  /** Absolute: a program of the system's does not search for it. */
  readonly words: readonly string[];
  /** Where the tools find their programs. Nothing else of the environment goes along: it may hold keys. */
  readonly path: string;
}

/** `pergola start` as it was called now, with absolute paths. */
export function startCommand({ settings, data, port }: CommonOptions): StartCommand {
  const program = realpathSync(process.argv[1] ?? "");
  const option = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [name, value];
  const words = [
    process.execPath,
    program,
    "start",
    ...option("--settings", settings && path.resolve(settings)),
    ...option("--data", data && path.resolve(data)),
    ...option("--port", port),
  ];
  return { words, path: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" };
}
