import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export type Encoding = "identity" | "br" | "gzip";

/** A built file, whole and compressed. */
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

const suffixes: Readonly<Record<Encoding, string>> = { identity: "", br: ".br", gzip: ".gz" };

/** Where the build puts a folder: beside the built plugin, and seen from its sources. */
const builtFolder = (name: string): string | undefined =>
  [name, `dist/${name}`].map((one) => path.join(import.meta.dirname, one)).find((one) => existsSync(one));

/** The names of all files below a folder, with `/` between their steps. */
const namesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll(path.sep, "/"));

/** The files that the build has put into a folder, read when they are first asked for. */
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
    return this.#names.has(name) && Object.hasOwn(types, path.extname(name));
  }

  get(name: string): Asset {
    const known = this.#assets.get(name);
    if (known !== undefined) return known;
    const contents = new Map<Encoding, Uint8Array>();
    const read = (encoding: Encoding): Uint8Array => {
      const content =
        contents.get(encoding) ?? readFileSync(path.join(this.#folder, name + suffixes[encoding]));
      contents.set(encoding, content);
      return content;
    };
    const asset: Asset = {
      contentType: types[path.extname(name)] ?? "application/octet-stream",
      etag: `W/"${createHash("sha256").update(read("identity")).digest("base64url").slice(0, 22)}"`,
      has: (encoding) => this.#names.has(name + suffixes[encoding]),
      read,
    };
    this.#assets.set(name, asset);
    return asset;
  }
}
