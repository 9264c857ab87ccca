import { AppError, type Collection } from "@pergola/sdk";
import { freeAbandoned, type DownloadStatus, type Parts, type StorageHosts } from "@pergola/sdk/host";
import { isFinal, statusOf, type StoredDownload } from "./records.ts";

const prefix = "download/";

/**
 * Whose downloads are whose, where several hosts share the storage: files come to the disk of one, and others
 * see how far they are. With one host all are its own.
 */
export class Owners {
  readonly #parts: Pick<Parts, "log" | "timestamp">;
  readonly #hosts: StorageHosts | undefined;
  readonly #records: Collection<StoredDownload>;

  constructor(parts: Parts, records: Collection<StoredDownload>) {
    this.#parts = parts;
    this.#hosts = parts.stores.storage.hosts;
    this.#records = records;
  }

  get areSeveral(): boolean {
    return this.#hosts !== undefined;
  }

  /** Whether its files are on a disk that this host sees. */
  isOurs({ host }: StoredDownload): boolean {
    return this.#hosts === undefined || host === undefined || host === this.#hosts.label;
  }

  /** The record with the host whose disk its files are on. */
  marked(record: StoredDownload): StoredDownload {
    return this.#hosts === undefined ? record : { ...record, host: this.#hosts.label };
  }

  /** Takes a download for this host until what it resolves to is called; undefined while another has it. */
  async take(id: string): Promise<(() => Promise<void>) | undefined> {
    if (this.#hosts === undefined) return async () => undefined;
    const hosts = this.#hosts;
    const fence = await hosts.take(prefix + id);
    if (fence === undefined) return undefined;
    return () =>
      hosts
        .release(fence)
        .catch((error: unknown) => this.#parts.log.debug({ error }, "a download could not be given back"));
  }

  /** Marks what hosts have left that are gone, as long as this one is there. */
  settleAbandoned(): void {
    if (this.#hosts === undefined) return;
    const { log } = this.#parts;
    freeAbandoned(this.#hosts, { prefix, log, settle: (name) => this.settle(name.slice(prefix.length)) });
  }

  /** A download that nobody works on is interrupted, whatever its record says. Only for who has taken it. */
  async settle(id: string): Promise<void> {
    const found = await this.#records.get(id);
    if (found === undefined || isFinal(found.status)) return;
    const { version, ...record } = found;
    const put = {
      ...record,
      status: "failed",
      error: "interrupted",
      updatedAt: this.#parts.timestamp(),
    } as const;
    await this.#records.put(put, { ifVersion: version });
  }

  /** All that are stored, as they were stored last; none with one host, which knows better. */
  async stored(): Promise<readonly DownloadStatus[]> {
    if (this.#hosts === undefined) return [];
    const found = await this.#records.find({}, { order: "startedAt", limit: 100_000 });
    return found.map((record) => statusOf(record, 0));
  }

  async storedOne(id: string): Promise<DownloadStatus | undefined> {
    if (this.#hosts === undefined) return undefined;
    const record = await this.#records.get(id.toLowerCase());
    return record && statusOf(record, 0);
  }

  /** Throws `wrong_host` for a download that another host has. */
  async refuse(id: string): Promise<void> {
    if (this.#hosts === undefined) return;
    const record = await this.#records.get(id.toLowerCase());
    if (record === undefined) return;
    const host = record.host ?? this.#hosts.label;
    const message = `The files of this download are at the host "${host}". Ask that one.`;
    throw new AppError({ code: "wrong_host", message, details: { host } });
  }
}
