import { createHash } from "node:crypto";
import { indexValueOf, type IndexValue } from "@pergola/sdk";

/** Bytes of a text that an index holds: five such columns fit into an entry of a B-tree (2,704 bytes). */
const longest = 448;

/** The first byte of a key, by the type of its value, in the order of the contract. */
const tags = { null: 0, number: 1, text: 2, boolean: 3 } as const;

const tagged = (tag: number, bytes: Uint8Array = new Uint8Array()): Buffer =>
  Buffer.concat([Uint8Array.of(tag), bytes]);

/** IEEE 754 in an order of bytes: the sign turned round, and of negative numbers all bits. */
function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const isNegative = bytes[0]! >= 0x80;
  return bytes.map((byte, at) => {
    if (isNegative) return ~byte;
    return at === 0 ? byte | 0x80 : byte;
  }) as Buffer;
}

/** A long text counts by its beginning and its SHA-256. */
function textBytes(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length <= longest) return bytes;
  return Buffer.concat([bytes.subarray(0, longest), createHash("sha256").update(bytes).digest()]);
}

/**
 * An index value as bytes whose order is that of the contract: null, numbers, text by code points, false,
 * true. Texts of more than 448 bytes are equal when they are, and ordered by their beginnings.
 */
export function indexKey(value: IndexValue): Buffer {
  if (typeof value === "string") return tagged(tags.text, textBytes(value));
  if (typeof value === "boolean") return tagged(tags.boolean, Uint8Array.of(Number(value)));
  if (value === null || Number.isNaN(value)) return tagged(tags.null);
  return tagged(tags.number, numberBytes(value));
}

export const keyOfField = (record: object, field: string): Buffer => indexKey(indexValueOf(record, field));

/** SQL of the key of null, which a record without the field has. */
export const nullKey = "'\\x00'";

/** Where the keys of a type begin and end, the type given as its rank in the order of values. */
export const keyRange = (rank: number): { readonly from: Buffer; readonly before: Buffer } => ({
  from: tagged(rank),
  before: tagged(rank + 1),
});

/** Bytes of the key of an id from which on the id cannot be read off it. */
export const cutKey = 1 + longest + 32;

/** The id of a key that is not cut. */
export const idOfKey = (key: Buffer): string => key.subarray(1).toString();
