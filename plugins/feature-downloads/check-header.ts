import { open } from "node:fs/promises";
import { sourceFault } from "./source-fault.ts";

const magic = "GGUF";
/** The versions of the format that can be read; the first one has other lengths. */
const versions = [2, 3];
const headBytes = 8;

/**
 * Rejects when a file that calls itself GGUF does not begin like one: a web page, or a file of another format
 * (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
 */
export async function checkHeader(file: string, name: string): Promise<void> {
  if (!/\.gguf$/i.test(name)) return;
  const handle = await open(file, "r");
  const head = Buffer.alloc(headBytes);
  await handle.read(head, 0, headBytes, 0).finally(() => handle.close());
  if (head.toString("latin1", 0, magic.length) !== magic)
    throw sourceFault(
      `"${name}" is no GGUF file, whatever its name says. Choose another file or repository.`,
    );
  const version = head.readUInt32LE(magic.length);
  if (versions.includes(version)) return;
  throw sourceFault(`"${name}" is in version ${version} of the GGUF format, which cannot be read here.`);
}
