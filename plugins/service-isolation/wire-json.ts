import { isObject } from "@pergola/sdk";
import { checkPlain } from "@pergola/sdk/host";

// Messages are JSON. What JSON has not, but contexts and answers do, is an object with one key that begins
// with "$"; a key of the plugin's own that begins so gets one "$" more on its way.

const [bytes, floats, nothing] = ["$bytes", "$floats", "$undefined"];
/** Values that one message may hold. */
const mostValues = 1_000_000;

const base64 = (view: ArrayBufferView): string =>
  Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("base64");

const needsMark = (key: string): boolean => key.startsWith("$");

function withMarks(record: Readonly<Record<string, unknown>>): object {
  if (!Object.keys(record).some(needsMark)) return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [needsMark(key) ? `$${key}` : key, value]),
  );
}

/** The text of a message. Throws for what JSON cannot carry, such as a circle. */
export function toWire(message: unknown): string {
  return JSON.stringify(message, function (this: Record<string, unknown>, key: string, value: unknown) {
    const raw = this[key];
    if (raw instanceof Uint8Array) return { [bytes]: base64(raw) };
    if (raw instanceof Float32Array) return { [floats]: base64(raw) };
    if (raw === undefined && Array.isArray(this)) return { [nothing]: true };
    return isObject(value) ? withMarks(value) : value;
  });
}

function bufferOf(text: unknown): Buffer {
  if (typeof text !== "string") throw new Error("its bytes are no text");
  return Buffer.from(text, "base64");
}

/** Its own memory: what comes from a pool may begin where no float may. */
function floatsOf(text: unknown): Float32Array {
  const { buffer } = Uint8Array.from(bufferOf(text));
  return new Float32Array(buffer, 0, Math.floor(buffer.byteLength / 4));
}

function unmarked(record: Readonly<Record<string, unknown>>): unknown {
  const [key = "", ...others] = Object.keys(record);
  if (others.length === 0 && key === bytes) return new Uint8Array(bufferOf(record[bytes]));
  if (others.length === 0 && key === floats) return floatsOf(record[floats]);
  if (others.length === 0 && key === nothing) return undefined;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [needsMark(name) ? name.slice(1) : name, restored(value)]),
  );
}

function restored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restored);
  return isObject(value) ? unmarked(value) : value;
}

/** The message of a text. Throws for what is no JSON, goes too deep, holds too much, or has keys to fear. */
export function fromWire(text: string): unknown {
  const message: unknown = JSON.parse(text);
  checkPlain(message, { left: mostValues });
  return restored(message);
}
