import { KeyedQueue, type Write } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { digestOf, sha256 } from "./file-states.ts";
import { eachOf, names, type Records, type StoredContent } from "./records.ts";

const blobOf = (id: string): string => `service-changes/${id}`;

/**
 * What files held before they were changed, by its SHA-256: each content once, and where several hosts share
 * the storage once for each change, so that none removes what another is about to need.
 */
export class Contents {
  readonly #parts: Parts;
  readonly #records: Records;
  /** Contents of changes that are being written, and how often. */
  readonly #holds = new Map<string, number>();
  readonly #turns = new KeyedQueue();
  #bytes = 0;

  constructor(parts: Parts, records: Records) {
    this.#parts = parts;
    this.#records = records;
  }

  /** The id of a content of a change; null without a content. */
  idOf(bytes: Uint8Array | undefined, changeId: string): string | null {
    const digest = digestOf(bytes);
    return digest === null || this.#isAlone ? digest : `${digest}.${changeId}`;
  }

  get #isAlone(): boolean {
    return this.#parts.stores.storage.hosts === undefined;
  }

  /** A content by its SHA-256, whichever change it is kept for. undefined where it is gone or damaged. */
  async find(digest: string): Promise<Uint8Array | undefined> {
    if (this.#isAlone) return this.get(digest);
    // The ids that begin with the digest and a dot: the character behind the dot is the slash.
    const id = { gte: `${digest}.`, lt: `${digest}/` };
    for (const found of await this.#records.contents.find({ id }, { limit: 3 })) {
      const bytes = await this.get(found.id);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }

  /** Of all that is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Until it is released a content is not removed, whatever becomes of those who needed it. */
  hold(id: string): void {
    this.#holds.set(id, (this.#holds.get(id) ?? 0) + 1);
  }

  release(id: string): void {
    const left = (this.#holds.get(id) ?? 0) - 1;
    if (left > 0) this.#holds.set(id, left);
    else this.#holds.delete(id);
  }

  /**
   * The write that promises a content, to be stored with the first that needs it; `put` keeps the promise.
   * Nothing where it is kept already.
   */
  async promise(id: string, bytes: Uint8Array): Promise<readonly Write[]> {
    const found = await this.#records.contents.get(id);
    if (found?.stored === true) return [];
    return [writeOf({ id, bytes: bytes.length, stored: false })];
  }

  /** Keeps what was promised. */
  async put(id: string, bytes: Uint8Array): Promise<void> {
    await this.#turns.run(id, async () => {
      if ((await this.#records.contents.get(id))?.stored === true) return;
      await this.#parts.stores.storage.blobs.put(blobOf(id), bytes);
      await this.#records.contents.put({ id, bytes: bytes.length, stored: true });
      this.#bytes += bytes.length;
    });
  }

  /** undefined where it is gone or damaged. */
  async get(id: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#parts.stores.storage.blobs.get(blobOf(id));
    if (bytes !== undefined && id.startsWith(sha256(bytes))) return bytes;
    return undefined;
  }

  /** Removes those that no change needs any more. */
  async sweep(ids: Iterable<string>): Promise<void> {
    for (const id of new Set(ids))
      await this.#turns.run(id, async () => {
        const isNeeded = (await this.#records.changes.count({ contentId: id })) > 0;
        if (isNeeded || this.#holds.has(id)) return;
        const found = await this.#records.contents.get(id);
        await this.#parts.stores.storage.blobs.delete(blobOf(id));
        await this.#records.contents.delete(id);
        if (found?.stored === true) this.#bytes -= found.bytes;
      });
  }

  /** After a start: counts what there is, and settles what the last host had promised only. */
  async recover(): Promise<void> {
    for (const found of await this.#records.contents.find({ stored: false }, { limit: 100_000 })) {
      const bytes = await this.get(found.id);
      if (bytes === undefined) await this.sweep([found.id]);
      else await this.#records.contents.put({ id: found.id, bytes: bytes.length, stored: true });
    }
    await this.countBytes();
  }

  /** Counts anew what is kept: other hosts keep and remove, too. */
  async countBytes(): Promise<void> {
    let sum = 0;
    for await (const { bytes } of eachOf(this.#records.contents, {})) sum += bytes;
    this.#bytes = sum;
  }
}

const writeOf = (put: StoredContent): Write => ({ collection: names.contents, put });
