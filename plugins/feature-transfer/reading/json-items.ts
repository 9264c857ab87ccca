import { AppError, messageOf } from "@pergola/sdk";
import { JSONParser } from "@streamparser/json";

/** Bytes that one item may take: as many as a service takes in one request by default. */
const largestItem = 128 << 20;

const [byteOrderMark, bracket] = [0xef, 0x5b];
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

const unreadable = (message: string, cause?: unknown): AppError =>
  new AppError({ code: "invalid_value", message, cause });

/** Collects the values that a stream of JSON text completes. */
class Items {
  readonly #parser: JSONParser;
  #complete: unknown[] = [];
  #bytes = 0;

  constructor(isList: boolean) {
    // Without a list, one value may follow another, as in JSON lines.
    const form = isList ? { paths: ["$.*"] } : { paths: ["$"], separator: "" };
    this.#parser = new JSONParser({ ...form, keepStack: false, stringBufferSize: 1 << 16 });
    this.#parser.onValue = ({ value }) => void this.#complete.push(value);
  }

  /** The items that these bytes complete. Throws AppError behind the last one where they are no JSON. */
  *add(bytes: Uint8Array): Iterable<unknown> {
    const fault = this.#faultOf(() => this.#parser.write(bytes));
    const items = this.#complete;
    this.#complete = [];
    yield* items;
    if (fault !== undefined) throw fault;
    this.#bytes = items.length > 0 ? 0 : this.#bytes + bytes.length;
    if (this.#bytes > largestItem) throw unreadable(`an item is larger than ${largestItem >> 20} MiB`);
  }

  /** Throws AppError where the text is not complete. */
  end(): void {
    const fault = this.#parser.isEnded ? undefined : this.#faultOf(() => this.#parser.end());
    if (fault !== undefined) throw fault;
  }

  #faultOf(work: () => void): AppError | undefined {
    try {
      work();
      return undefined;
    } catch (cause) {
      return unreadable(`it is not JSON, or breaks off: ${messageOf(cause)}`, cause);
    }
  }
}

/** Without what may stand before the first value. */
function trimmed(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === byteOrderMark ? 3 : 0;
  const first = bytes.subarray(start).findIndex((byte) => !spaces.has(byte));
  return first < 0 ? bytes.subarray(bytes.length) : bytes.subarray(start + first);
}

/**
 * The items of a list, or the values of a text that is no list, one by one: no more than one is in memory.
 * Throws AppError `invalid_value`.
 */
export async function* jsonItems(pieces: AsyncIterable<Uint8Array>): AsyncIterable<unknown> {
  let items: Items | undefined;
  for await (const piece of pieces) {
    const bytes = items === undefined ? trimmed(piece) : piece;
    if (bytes.length === 0) continue;
    items ??= new Items(bytes[0] === bracket);
    yield* items.add(bytes);
  }
  items?.end();
}
