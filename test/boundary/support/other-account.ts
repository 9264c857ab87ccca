import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import type { Context } from "mocha";
import { watchProgram, type Program } from "../../support/pergola.ts";

const nobody = 65_534;
const how = { uid: nobody, gid: nobody, cwd: "/", env: {} };
const words = (code: string): string[] => ["--input-type=module", "-e", code];

/** Only root can act as another account; only Linux tells whose a connection is. */
export function needsRoot(test: Context): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) test.skip();
}

/** Runs code of a module as another account, and gives what it writes. */
export async function asNobody(code: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, words(code), { ...how, maxBuffer: 2 ** 26 });
  return stdout;
}

/** The same for code that goes on. */
export const beginAsNobody = (code: string): Program =>
  watchProgram(spawn(process.execPath, words(code), how));

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What another account is answered to requests, in their order; 0 = the connection failed. */
export async function askAsNobody(
  requests: readonly { readonly url: string; readonly init?: object }[],
): Promise<readonly Answer[]> {
  const output = await asNobody(`
    const answers = [];
    for (const { url, init } of ${JSON.stringify(requests)})
      answers.push(await fetch(url, init).then(
        async (answer) => ({ status: answer.status, text: (await answer.text()).slice(0, 500) }),
        (error) => ({ status: 0, text: String(error.cause ?? error) }),
      ));
    process.stdout.write(JSON.stringify(answers));`);
  return JSON.parse(output) as readonly Answer[];
}
