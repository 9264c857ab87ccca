import type { ToolContext } from "@pergola/sdk";

/** Code files are small; larger ones are generated or data. */
const largest = 1 << 20;
const probe = 8192;
const decoder = new TextDecoder();

/** A code file's text; undefined for a binary file, for one above 1 MiB, and for what cannot be read. */
export async function readCode(context: ToolContext, path: string): Promise<string | undefined> {
  const bytes = await context.files.read(path, { start: 0, end: largest + 1 }).catch(() => undefined);
  context.signal.throwIfAborted();
  if (bytes === undefined || bytes.length > largest || bytes.subarray(0, probe).includes(0)) return undefined;
  return decoder.decode(bytes);
}
