import { execFile } from "node:child_process";

const inherited = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "HOME"];

/** Milliseconds for a program to tell its options: Python loads its libraries first. */
const patience = 60_000;

/** What the server program sees of the environment: no secrets, and that it is to fetch nothing. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = inherited.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  );
  return { ...Object.fromEntries(kept), HF_HUB_OFFLINE: "1" };
}

/**
 * Whether the program's help names the option. Releases and forks of it differ, and an unknown option ends it
 * at once.
 */
export function knowsOption(program: string, option: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, ["--help"], { timeout: patience, env: serverEnvironment() }, (_error, said) => {
      resolve(new RegExp(`${option}(?![\\w-])`).test(said));
    });
  });
}
