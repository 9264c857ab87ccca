import type { ToolContext } from "@pergola/sdk";
import { compileIgnoreRules, type IgnoreRules, type Ruling } from "./ignore-rules.ts";

const largestFile = 1 << 16;

/** A folder's rules and those of the folders above it. Paths are relative to the topmost folder. */
interface Link {
  readonly base: string;
  readonly rules: IgnoreRules;
  readonly parent: IgnoreChain;
}

export type IgnoreChain = Link | undefined;

/** What the rules say of a path; the folder nearest to it has the first word. `.git` is always ignored. */
export function rulingOn(chain: IgnoreChain, path: string, isFolder: boolean): Ruling | undefined {
  if (/(^|\/)\.git$/.test(path)) return { ignored: true, rule: ".git" };
  for (let link = chain; link !== undefined; link = link.parent) {
    const ruling = link.rules.check(path.slice(link.base.length), isFolder);
    if (ruling !== undefined) return ruling;
  }
  return undefined;
}

/** The chain with the rules of one more file, if it is there. `base` is empty or ends with a slash. */
export async function withRulesOf(
  chain: IgnoreChain,
  context: ToolContext,
  file: string,
  base: string,
): Promise<IgnoreChain> {
  const info = await context.files.stat(file).catch(() => undefined);
  const bytes =
    info && (await context.files.read(file, { start: 0, end: largestFile }).catch(() => undefined));
  context.signal.throwIfAborted();
  if (bytes === undefined || bytes.length === 0) return chain;
  return { base, rules: await compileIgnoreRules(new TextDecoder().decode(bytes)), parent: chain };
}
