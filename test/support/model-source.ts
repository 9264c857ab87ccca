import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "@pergola/sdk";

/** A file that the source has; its bytes are made as they are asked for, the same for the same seed. */
export interface SourceModel {
  readonly size: number;
  readonly seed?: number;
  /** What it begins with instead of what GGUF files begin with. */
  readonly head?: string;
  /** What the catalogue says instead of the truth. */
  readonly told?: { readonly size?: number | null; readonly sha256?: string | null };
}

/** How the source misbehaves in one answer for a file. */
export interface Trouble {
  /** It ends the connection, or sends nothing more, after this byte of the file. */
  readonly cutAt?: number;
  readonly hangAt?: number;
  /** Called when the bytes are sent. */
  readonly then?: () => void;
  readonly redirect?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it says to send. */
  readonly length?: number;
  /** Bytes that it sends beyond the file's. */
  readonly more?: number;
  readonly ignoreRange?: boolean;
  readonly ignoreIfRange?: boolean;
  readonly wrongRange?: boolean;
  readonly encoding?: string;
}

export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The 64 KiB block at a place: cheap to make, different for each place and seed. */
const blockBytes = 65_536;
const base = Buffer.alloc(blockBytes, createHash("sha512").update("pergola").digest());

/** How a GGUF file begins: with its name and version 3. */
const ggufHead = "GGUF\u0003\0\0\0";

function blockAt(index: number, seed: number, head = ggufHead): Buffer {
  const block = Buffer.from(base);
  block.writeUInt32LE(index, 8);
  block.writeUInt32LE(seed, 12);
  if (index === 0) block.write(head, "latin1");
  return block;
}

/** The bytes of a file from a place to another. */
export function* bytesOf({ size, seed = 0, head }: SourceModel, from = 0, to = size): Generator<Buffer> {
  for (let at = from; at < to;) {
    const index = Math.floor(at / blockBytes);
    const end = Math.min(to, (index + 1) * blockBytes);
    yield blockAt(index, seed, head).subarray(at - index * blockBytes, end - index * blockBytes);
    at = end;
  }
}

export function sha256Of(model: SourceModel): string {
  const hash = createHash("sha256");
  for (const piece of bytesOf(model)) hash.update(piece);
  return hash.digest("hex");
}

/** Resolves when more can be written, or nobody reads any more. */
async function drained(response: ServerResponse): Promise<void> {
  const leave = new AbortController();
  const { signal } = leave;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).finally(() =>
    leave.abort(),
  );
}

/** The byte that an answer starts at: that of the range, where it is asked for and holds. */
function startOf({ headers }: IncomingMessage, tag: string, trouble: Trouble): number {
  const condition = headers["if-range"];
  const isSame = condition === undefined || condition === tag || trouble.ignoreIfRange === true;
  const asked = /^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1];
  if (asked === undefined || !isSame || trouble.ignoreRange === true) return 0;
  const start = Number(asked);
  return start > 0 && trouble.wrongRange === true ? start + 1 : start;
}

/** The headers that tell what an answer from a byte on brings. */
function headersFor({ size }: SourceModel, from: number, trouble: Trouble): Readonly<Record<string, string>> {
  const { length = size - from, more = 0, encoding } = trouble;
  return defined({
    "accept-ranges": "bytes",
    "content-length": more > 0 ? undefined : String(length),
    "content-encoding": encoding,
    "content-range": from === 0 ? undefined : `bytes ${from}-${size - 1}/${size}`,
  });
}

/** Ends an answer whose bytes are sent: as it should be, or with its trouble. */
async function finish({ size }: SourceModel, trouble: Trouble, response: ServerResponse): Promise<void> {
  const { cutAt, hangAt, length = 0, more = 0 } = trouble;
  if (hangAt !== undefined) return void (await once(response, "close"));
  trouble.then?.();
  if (cutAt !== undefined || length > size) return void response.destroy();
  response.end(more > 0 ? Buffer.alloc(more) : undefined);
}

/** A source of models on loopback with catalogue, ranges and tags, and troubles as they are told. */
export class ModelSource {
  readonly asked: Asked[] = [];
  readonly #files = new Map<string, SourceModel>();
  readonly #digests = new Map<string, string>();
  readonly #troubles = new Map<string, Trouble[]>();
  readonly #server = createServer(
    (request, response) => void this.#answer(request, response).catch(() => response.destroy()),
  );
  #commit = "a".repeat(40);
  /** Bytes per second; 0 = as fast as can be. */
  pace = 0;
  /** What the catalogue answers instead of the truth. */
  catalogue: ((path: string) => { readonly status: number; readonly body: string }) | undefined;
  /** The token that is needed. */
  token = "";
  /** Answers that are being sent. */
  sending = 0;
  mostSending = 0;

  static async open(files: Readonly<Record<string, SourceModel>> = {}): Promise<ModelSource> {
    const source = new ModelSource();
    for (const [name, file] of Object.entries(files)) source.put(name, file);
    await once(source.#server.listen(0, "127.0.0.1"), "listening");
    return source;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds or changes a file; its commit is another one then, unless `silently`. */
  put(name: string, file: SourceModel, { silently = false } = {}): void {
    this.#files.set(name, file);
    this.#digests.set(name, file.told?.sha256 ?? sha256Of(file));
    if (!silently) this.#commit = createHash("sha1").update(`${this.#commit}${name}`).digest("hex");
  }

  sha256(name: string): string {
    return this.#digests.get(name) ?? "";
  }

  trouble(name: string, ...troubles: Trouble[]): void {
    this.#troubles.set(name, troubles);
  }

  /** Requests for the bytes of a file so far. */
  asksFor(name: string): readonly Asked[] {
    return this.asked.filter(({ path }) => path.endsWith(`/${name}`));
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    const path = decodeURIComponent(url.pathname);
    this.asked.push({ path: path + url.search, headers: request.headers });
    if (this.token !== "" && request.headers.authorization !== `Bearer ${this.token}`)
      return void response.writeHead(401).end();
    if (path.startsWith("/api/models")) return this.#answerCatalogue(path, url, response);
    const name = /^\/[^/]+\/[^/]+\/resolve\/[^/]+\/(.+)$/.exec(path)?.[1] ?? path.slice(1);
    const file = this.#files.get(name);
    if (file === undefined) return void response.writeHead(404).end();
    this.sending += 1;
    this.mostSending = Math.max(this.mostSending, this.sending);
    await this.#send(name, file, request, response).finally(() => (this.sending -= 1));
  }

  #answerCatalogue(path: string, url: URL, response: ServerResponse): void {
    const made = this.catalogue?.(path + url.search);
    const siblings = [...this.#files].map(([rfilename, { size, told = {} }]) => {
      const digest = told.sha256 === undefined ? this.#digests.get(rfilename) : told.sha256;
      const known = told.size === undefined ? size : told.size;
      return {
        rfilename,
        size: known,
        ...(digest === null ? {} : { lfs: { sha256: digest, size: known, pointerSize: 130 } }),
      };
    });
    const [, , , owner, name] = path.split("/");
    const found = [
      { id: "owner/model", downloads: 7, likes: 1, lastModified: "2026-01-02T03:04:05.000Z", gated: false },
      { id: "../evil" },
    ];
    const body = owner === undefined ? found : { id: `${owner}/${name}`, sha: this.#commit, siblings };
    response
      .writeHead(made?.status ?? 200, { "content-type": "application/json" })
      .end(made?.body ?? JSON.stringify(body));
  }

  async #send(
    name: string,
    file: SourceModel,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const trouble: Trouble = this.#troubles.get(name)?.shift() ?? {};
    const { redirect, status, headers } = trouble;
    if (redirect !== undefined) return void response.writeHead(302, { location: redirect }).end();
    if (status !== undefined) return void response.writeHead(status, headers).end();
    const tag = `"${this.#digests.get(name)}"`;
    const from = startOf(request, tag, trouble);
    if (from > 0 && from >= file.size)
      return void response.writeHead(416, { "content-range": `bytes */${file.size}` }).end();
    response.writeHead(from === 0 ? 200 : 206, { etag: tag, ...headersFor(file, from, trouble) });
    await this.#sendBody(file, from, trouble, response);
  }

  /**
   * Sends the bytes at the pace. It finishes in the tick of the last write: a short answer has not left by
   * then, so a cut drops its headers too.
   */
  async #sendBody(
    file: SourceModel,
    from: number,
    trouble: Trouble,
    response: ServerResponse,
  ): Promise<void> {
    const end = Math.min(file.size, trouble.cutAt ?? trouble.hangAt ?? file.size);
    for (const piece of bytesOf(file, from, Math.max(from, end))) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
      if (this.pace > 0)
        await new Promise((resolve) => setTimeout(resolve, (piece.length * 1000) / this.pace));
    }
    await finish(file, trouble, response);
  }
}
