import { Writable } from "node:stream";

/** Where the protocol's lines go: nothing else may be written there, by whatever runs in this process. */
export function takeOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    write: (bytes: Uint8Array, _, written) => void write(bytes, (error) => written(error)),
  });
}
