import { ToolError } from "@pergola/sdk";
import { unzipSync, zipSync, type UnzipFileInfo } from "fflate";
import { invalidValue } from "../invalid-value.ts";

const mostEntries = 10_000;
/** Bytes of all XML parts together, unpacked. */
const mostUnpacked = 256 << 20;
const isText = /\.(xml|rels)$/i;
const declaration = /<!(?:DOCTYPE|ENTITY)/i;

/**
 * The XML parts of an Office document. Pictures, embedded files and macros are never unpacked. What it
 * declares to unpack to is bounded before, and no more than was declared is written, so that a bomb costs
 * nothing.
 */
export class OfficePackage {
  readonly names: readonly string[];
  readonly hasMacros: boolean;
  readonly #parts: Readonly<Record<string, Uint8Array>>;

  constructor(parts: Readonly<Record<string, Uint8Array>>, hasMacros: boolean) {
    this.#parts = parts;
    this.names = Object.keys(parts);
    this.hasMacros = hasMacros;
  }

  /** A part's XML; empty when it is not there. */
  text(name: string): string {
    if (!Object.hasOwn(this.#parts, name)) return "";
    return new TextDecoder().decode(this.#parts[name]);
  }

  /** A package of the checked parts alone, for libraries that unpack by themselves. */
  repacked(): Buffer {
    return Buffer.from(zipSync({ ...this.#parts }, { level: 0 }));
  }
}

/**
 * Throws ToolError `invalid_value` for packages that are damaged, unpack to too much, or hold XML that
 * declares entities.
 */
export function openPackage(bytes: Uint8Array): OfficePackage {
  const seen = {
    entries: 0,
    bytes: 0,
    macros: false,
  };
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    seen.entries += 1;
    seen.macros ||= /vbaProject\.bin$/i.test(name);
    if (!isText.test(name)) return false;
    seen.bytes += originalSize;
    if (seen.bytes <= mostUnpacked && seen.entries <= mostEntries) return true;
    throw invalidValue(
      "The document unpacks to too much.",
      "It may be a decompression bomb. If it is not, split it into smaller documents.",
    );
  };
  const parts = unpack(bytes, filter);
  if (Object.values(parts).some((part) => declaration.test(Buffer.from(part).toString("latin1"))))
    throw invalidValue(
      "The document's XML declares entities, which no Office program does.",
      "It may be an attack. Ask for another copy.",
    );
  return new OfficePackage(parts, seen.macros);
}

function unpack(
  bytes: Uint8Array,
  filter: (file: UnzipFileInfo) => boolean,
): Readonly<Record<string, Uint8Array>> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (ToolError.is(error)) throw error;
    throw invalidValue(
      "The document is damaged: its package cannot be unpacked.",
      "Ask for another copy; a retry makes no sense.",
    );
  }
}
