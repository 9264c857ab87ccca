import type { Duplex } from "node:stream";

const headerBytes = 4;

/** A message's text with its length in bytes in front. */
export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame.writeUInt32BE(length);
  frame.write(text, headerBytes);
  return frame;
}

interface FrameListeners {
  readonly message: (text: string) => void;
  /** What came is no message, or one that is too large. Nothing is read after it. */
  readonly fault: (reason: string) => void;
}

/** A place for so many bytes, filled piece by piece. */
class Vessel {
  readonly bytes: Buffer;
  #filled = 0;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
  }

  get isFull(): boolean {
    return this.#filled === this.bytes.length;
  }

  /** Takes what it has room for, and gives back the rest. */
  fill(piece: Buffer): Buffer {
    const taken = piece.copy(this.bytes, this.#filled);
    this.#filled += taken;
    return piece.subarray(taken);
  }
}

/**
 * Reads the messages of a stream. A message's length is judged before any of its bytes are taken, and they
 * are gathered in one place: however the other side cuts it, it fills no more of this process's memory.
 */
export class FrameReader {
  readonly #stream: Duplex;
  readonly #listeners: FrameListeners;
  readonly #maxBytes: number;
  #header = new Vessel(headerBytes);
  #body: Vessel | undefined;
  /** What has come and was not looked at yet. */
  #rest: Buffer = Buffer.alloc(0);
  #isPaused = false;
  #isClosed = false;

  constructor(stream: Duplex, listeners: FrameListeners, maxBytes: number) {
    this.#stream = stream;
    this.#listeners = listeners;
    this.#maxBytes = maxBytes;
    stream.on("data", (piece: Buffer) => this.#take(piece));
    stream.on("error", () => stream.destroy());
  }

  /** No message comes until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#stream.pause();
  }

  /** Goes on a moment later, so that everything else in this process has its turn. */
  resume(): void {
    this.#isPaused = false;
    setImmediate(() => {
      this.#read();
      if (!this.#isPaused) this.#stream.resume();
    });
  }

  #take(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    this.#read();
  }

  #read(): void {
    while (this.#rest.length > 0 && !this.#isPaused && !this.#isClosed) this.#step();
  }

  #step(): void {
    if (this.#body === undefined) return this.#begin();
    this.#rest = this.#body.fill(this.#rest);
    if (!this.#body.isFull) return;
    const text = this.#body.bytes.toString("utf8");
    this.#body = undefined;
    this.#listeners.message(text);
  }

  #begin(): void {
    this.#rest = this.#header.fill(this.#rest);
    if (!this.#header.isFull) return;
    const length = this.#header.bytes.readUInt32BE();
    this.#header = new Vessel(headerBytes);
    if (length === 0) return this.#fail("a message of 0 bytes");
    if (length > this.#maxBytes)
      return this.#fail(`a message of ${length} bytes; the limit is ${this.#maxBytes}`);
    this.#body = new Vessel(length);
  }

  #fail(reason: string): void {
    this.#isClosed = true;
    this.#rest = Buffer.alloc(0);
    this.#stream.destroy();
    this.#listeners.fault(reason);
  }
}
