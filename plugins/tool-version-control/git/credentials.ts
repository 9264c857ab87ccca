import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Settings } from "@pergola/kit-git";
import type { Repository } from "./repository.ts";

/** What git needs to sign in at a remote; `close` forgets it. */
export interface Credentials {
  readonly settings: Settings;
  readonly read: readonly string[];
  close(): Promise<void>;
}

const none: Credentials = { settings: [], read: [], close: async () => undefined };

/**
 * Asks the person's own credential helpers, which may need all of the computer, before git goes into its
 * sandbox; there it gets the answer for this one remote, and no helper.
 */
export async function openCredentials(
  repository: Repository,
  addresses: readonly string[],
): Promise<Credentials> {
  const address = addresses.find((each) => /^https:/i.test(each));
  if (address === undefined) return none;
  const input = `url=${address}\n\n`;
  const { exitCode, stdout } = await repository.attempt(["credential", "fill"], { input, reach: "any" });
  const answer = stdout.split("\n").filter((line) => /^(username|password)=/.test(line));
  if (exitCode !== 0 || answer.length === 0) return none;
  const folder = await mkdtemp(path.join(tmpdir(), "pergola-git-"));
  const file = path.join(folder, "answer");
  await writeFile(file, `${answer.join("\n")}\n`, { mode: 0o600 });
  const helper = `!f() { test "$1" != get || cat '${file}'; }; f`;
  return {
    settings: [
      ["credential.helper", ""],
      ["credential.helper", helper],
    ],
    read: [file],
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
