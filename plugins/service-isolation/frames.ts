import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

/** Bytes of one message from a plugin's process. */
export const maxFrameBytes = 2 ** 23;
const headerBytes = 4;

/** A message with its length in front. */
export function frameOf(message: unknown): Buffer {
  const body = serialize(message);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
}

interface FrameListeners {
  readonly message: (message: unknown) => void;
  /** What came is no message, or one that is too large. Nothing is read after it. */
  readonly fault: (reason: string) => void;
}

/**
 * Reads the messages of a stream. A message's length is checked before its bytes are collected, so that the
 * other side can fill no more of this process's memory than one message takes.
 */
export function readFrames(stream: Duplex, { message, fault }: FrameListeners, maxBytes: number): void {
  let pieces: Buffer[] = [];
  let size = 0;

  const fail = (reason: string): void => {
    stream.off("data", take);
    stream.destroy();
    pieces = [];
    fault(reason);
  };
  /** The first `length` bytes of what has come, which is at least as much. */
  const cut = (length: number): Buffer => {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = [all.subarray(length)];
    size -= length;
    return all.subarray(0, length);
  };
  let wanted: number | undefined;
  const take = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
    while (size >= (wanted ?? headerBytes)) {
      if (wanted === undefined) {
        wanted = cut(headerBytes).readUInt32BE();
        if (wanted > maxBytes) return fail(`a message of ${wanted} bytes; the limit is ${maxBytes}`);
        continue;
      }
      const body = cut(wanted);
      wanted = undefined;
      const read = decode(body);
      if (read === undefined) return fail("something that is no message");
      message(read.message);
    }
  };
  stream.on("data", take);
  stream.on("error", () => stream.destroy());
}

function decode(body: Buffer): { readonly message: unknown } | undefined {
  try {
    return { message: deserialize(body) };
  } catch {
    return undefined;
  }
}
