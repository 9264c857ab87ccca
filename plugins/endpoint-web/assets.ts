import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";

export type Encoding = "identity" | "br" | "gzip";

/** A built file, in each form in which it is sent. */
export interface Asset {
  readonly contentType: string;
  /** Changes with the content, and is the same for all encodings. */
  readonly etag: string;
  readonly has: (encoding: Encoding) => boolean;
  readonly read: (encoding: Encoding) => Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** What brotli has made of a file, in the form that a client takes. */
const forms: Readonly<Record<Encoding, (kept: Uint8Array) => Uint8Array>> = {
  br: (kept) => kept,
  gzip: (kept) => gzipSync(brotliDecompressSync(kept), { level: 9 }),
  identity: (kept) => brotliDecompressSync(kept),
};

/** Where the build puts a folder: beside the built plugin, and seen from its sources. */
const builtFolder = (name: string): string | undefined =>
  [name, `dist/${name}`].map((one) => path.join(import.meta.dirname, one)).find((one) => existsSync(one));

/** The names of all files below a folder, with `/` between their steps. */
const namesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll(path.sep, "/"));

/**
 * The files that the build has put into a folder, read when they are first asked for: pictures as they are,
 * and all others as brotli has made them small.
 */
export class Assets {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #assets = new Map<string, Asset>();

  /** `name`: `files` for the page, `docs` for the documentation. */
  constructor(name: string) {
    const folder = builtFolder(name);
    this.#folder = folder ?? "";
    this.#names = new Set(folder === undefined ? [] : namesBelow(folder));
  }

  has(name: string): boolean {
    const isBuilt = this.#names.has(name) || this.#isSmall(name);
    return isBuilt && Object.hasOwn(types, path.extname(name));
  }

  get(name: string): Asset {
    const known = this.#assets.get(name);
    if (known !== undefined) return known;
    const isSmall = this.#isSmall(name);
    const kept = readFileSync(path.join(this.#folder, isSmall ? `${name}.br` : name));
    const contents = new Map<Encoding, Uint8Array>();
    const read = (encoding: Encoding): Uint8Array => {
      const content = contents.get(encoding) ?? (isSmall ? forms[encoding](kept) : kept);
      contents.set(encoding, content);
      return content;
    };
    const asset: Asset = {
      contentType: types[path.extname(name)] ?? "application/octet-stream",
      etag: `W/"${createHash("sha256").update(kept).digest("base64url").slice(0, 22)}"`,
      has: (encoding) => isSmall || encoding === "identity",
      read,
    };
    this.#assets.set(name, asset);
    return asset;
  }

  #isSmall(name: string): boolean {
    return this.#names.has(`${name}.br`);
  }
}
