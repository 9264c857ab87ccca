import { ToolError } from "@pergola/sdk";
import { unzipSync, zipSync, type UnzipFileInfo } from "fflate";

const mostEntries = 10_000;
/** Bytes of all XML parts together, unpacked. */
const mostUnpacked = 256 << 20;
const isText = /\.(xml|rels)$/i;
const declaration = /<!(?:DOCTYPE|ENTITY)/i;

const refused = (message: string, hint: string): ToolError =>
  new ToolError("invalid_value", message, { hint });
const damaged = (): ToolError =>
  refused(
    "The document is damaged: its package cannot be unpacked.",
    "Ask for another copy; a retry makes no sense.",
  );

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
    const part = Object.hasOwn(this.#parts, name) ? this.#parts[name] : undefined;
    return part === undefined ? "" : new TextDecoder().decode(part);
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
  const seen = { entries: 0, bytes: 0, macros: false };
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    seen.entries += 1;
    seen.macros ||= /vbaProject\.bin$/i.test(name);
    if (!isText.test(name)) return false;
    seen.bytes += originalSize;
    if (seen.bytes <= mostUnpacked && seen.entries <= mostEntries) return true;
    throw refused(
      "The document unpacks to too much.",
      "It may be a decompression bomb. If it is not, split it into smaller documents.",
    );
  };
  const parts = unpacked(bytes, filter);
  if (Object.values(parts).some((part) => declaration.test(Buffer.from(part).toString("latin1"))))
    throw refused(
      "The document's XML declares entities, which no Office program does.",
      "It may be an attack. Ask for another copy.",
    );
  return new OfficePackage(parts, seen.macros);
}

function unpacked(
  bytes: Uint8Array,
  filter: (file: UnzipFileInfo) => boolean,
): Readonly<Record<string, Uint8Array>> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw ToolError.is(error) ? error : damaged();
  }
}
