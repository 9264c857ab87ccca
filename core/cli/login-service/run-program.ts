import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "@pergola/sdk";

/** What the program prints. Rejects with its own words where it fails. */
export async function runProgram(program: string, words: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...words], { timeout: 60_000 })).stdout;
  } catch (cause) {
    const { stderr = "" } = cause as { readonly stderr?: string };
    const why = stderr.trim() || messageOf(cause);
    throw new Error(`${program} ${words.join(" ")}: ${why}`, { cause });
  }
}
