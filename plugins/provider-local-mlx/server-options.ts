import { execFile } from "node:child_process";
import { inheritedEnvironment } from "@pergola/kit-worker";

/** Milliseconds for a program to tell its options: Python loads its libraries first. */
const patience = 60_000;

/** What the server program sees of the environment: no secrets, and that it is to fetch nothing. */
export const serverEnvironment = (): Readonly<Record<string, string>> => ({
  ...inheritedEnvironment(["HOME"]),
  HF_HUB_OFFLINE: "1",
});

/**
 * Whether the program's help names the option. Releases and forks of it differ, and an unknown option ends it
 * at once.
 */
export function knowsOption(program: string, option: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, ["--help"], { timeout: patience, env: serverEnvironment() }, (_error, help) => {
      resolve(new RegExp(`${option}(?![\\w-])`).test(help));
    });
  });
}
