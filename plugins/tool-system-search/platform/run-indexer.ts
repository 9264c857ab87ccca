import { ToolError, type ToolContext } from "@pergola/sdk";

const mostBytes = 8 << 20;

/**
 * The paths that an indexer prints, set apart by NUL. Throws ToolError `unavailable` when it fails;
 * `isNothingFound` tells a failure from an answer without paths.
 */
export async function runIndexer(
  context: ToolContext,
  program: string,
  args: readonly string[],
  isNothingFound: (stderr: string) => boolean = () => false,
): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await context.spawn(program, args, { maxOutputBytes: mostBytes });
  context.signal.throwIfAborted();
  const [reason = ""] = stderr.trim().split("\n");
  if (exitCode !== 0 && !isNothingFound(reason))
    throw new ToolError("unavailable", `${program} could not answer: ${reason}`);
  return stdout.split("\0").filter((file) => file !== "");
}
