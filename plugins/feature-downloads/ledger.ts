import type { DownloadStatus } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import type { PartFile } from "./part-file.ts";
import { statusOf, type PlannedFile, type StoredDownload, type StoredFile } from "./records.ts";
import { Speed } from "./speed.ts";

/** Milliseconds between two reports of progress, and between two that are stored for other hosts. */
const [reportPause, savePause] = [250, 1000];

type LedgerBench = Pick<Bench, "parts" | "save" | "publish" | "isShared">;

/** What is known of one download: as it is stored, and as it stands at this moment. */
export class Ledger {
  readonly #bench: LedgerBench;
  #record: StoredDownload;
  #speed: Speed;
  #reported = 0;
  #saved = 0;
  #received = 0;
  #growing: { readonly name: string; readonly part: PartFile } | undefined;

  constructor(bench: LedgerBench, record: StoredDownload) {
    this.#bench = bench;
    this.#record = record;
    this.#speed = new Speed(this.#now());
  }

  get record(): StoredDownload {
    return this.#record;
  }

  get status(): DownloadStatus {
    const speed = this.#record.status === "downloading" ? this.#speed.at(this.#now()) : 0;
    return statusOf({ ...this.#record, files: this.#files() }, speed);
  }

  /** Bytes received since it was made. */
  get received(): number {
    return this.#received;
  }

  /** Bytes that are about to be written, as far as is known. */
  get missing(): number {
    if (this.#record.status !== "downloading") return 0;
    const sizes = this.#files().map(({ size, bytes }) => Math.max(0, (size ?? bytes) - bytes));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** The files of a plan, with what is known of those that have not changed at the source. */
  merged(plan: readonly PlannedFile[]): readonly StoredFile[] {
    const known = new Map(this.#record.files.map((file) => [file.name, file]));
    return plan.map((file) => {
      const before = known.get(file.name);
      const isSame = before?.sha256 === file.sha256 && (file.sha256 !== null || before.url === file.url);
      return {
        validator: null,
        state: "open",
        bytes: 0,
        ...(isSame && before),
        ...file,
      };
    });
  }

  file(name: string): StoredFile {
    const found = this.#record.files.find((file) => file.name === name);
    if (found === undefined) throw new Error(`${name} is not in the plan`);
    return found;
  }

  /** Resolves when it is durable; those who watch hear of it then. */
  async set(changes: Partial<StoredDownload>): Promise<void> {
    const isNews = changes.status !== undefined && changes.status !== this.#record.status;
    if (isNews) this.#speed = new Speed(this.#now());
    this.#record = { ...this.#record, ...changes, updatedAt: this.#bench.parts.timestamp() };
    const { status } = this;
    await this.#bench.save(this.#record);
    if (isNews) this.#bench.publish(status);
  }

  put(name: string, changes: Partial<StoredFile>): Promise<void> {
    return this.set({
      files: this.#record.files.map((file) => (file.name === name ? { ...file, ...changes } : file)),
    });
  }

  /** From now on a file's size is that of its part; with undefined it stays as it is then. */
  grows(name: string, part: PartFile | undefined): void {
    this.#record = { ...this.#record, files: this.#files() };
    this.#growing = part && { name, part };
  }

  count(bytes: number): void {
    this.#received += bytes;
    this.#speed.add(bytes);
    if (this.#now() - this.#reported < reportPause) return;
    this.#reported = this.#now();
    this.#bench.publish(this.status);
    if (this.#bench.isShared && this.#reported - this.#saved >= savePause) this.#saveProgress();
  }

  #saveProgress(): void {
    this.#saved = this.#reported;
    const { save, parts } = this.#bench;
    save({ ...this.#record, files: this.#files() }).catch((error: unknown) =>
      parts.log.debug({ error }, "the progress of a download could not be stored for other hosts"),
    );
  }

  #files(): readonly StoredFile[] {
    const growing = this.#growing;
    if (growing === undefined) return this.#record.files;
    return this.#record.files.map((file) =>
      file.name === growing.name ? { ...file, bytes: growing.part.size } : file,
    );
  }

  #now(): number {
    return this.#bench.parts.clock.now();
  }
}
