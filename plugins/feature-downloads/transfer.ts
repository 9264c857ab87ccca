import { AppError } from "@pergola/sdk";
import type { Bench } from "./bench.ts";
import { modelIdOf } from "./choose-files.ts";
import { fetchFile } from "./fetch-file.ts";
import type { Ledger } from "./ledger.ts";
import type { ModelFolder } from "./model-folder.ts";
import type { PartFile } from "./part-file.ts";
import type { PlannedFile, StoredFile } from "./records.ts";
import { sourceFault } from "./source-fault.ts";

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;

/**
 * One try to bring all files of a download. What it has reached stands in the ledger and in the folder,
 * whatever ends it.
 */
export class Transfer {
  readonly #bench: Bench;
  readonly #ledger: Ledger;
  readonly #folder: ModelFolder;
  readonly #signal: AbortSignal;

  constructor(bench: Bench, ledger: Ledger, folder: ModelFolder, signal: AbortSignal) {
    this.#bench = bench;
    this.#ledger = ledger;
    this.#folder = folder;
    this.#signal = signal;
  }

  /**
   * Resolves when the model is installed. Rejects with AppError, whose `details.retryable` tells whether
   * another try makes sense, with a failure of the disk, or with the signal's reason.
   */
  async run(plan: readonly PlannedFile[]): Promise<void> {
    await this.#adopt(plan);
    await this.#checkRoom();
    await this.#ledger.set({ status: "downloading" });
    for (const { name } of plan) await this.#bring(name);
    this.#signal.throwIfAborted();
    await this.#checkFormat();
    await this.#install();
  }

  /** What was begun of a file that has changed at the source, or is not needed any more, is worth nothing. */
  async #adopt(plan: readonly PlannedFile[]): Promise<void> {
    const files = this.#ledger.merged(plan);
    const same = new Map(files.map(({ name, sha256 }) => [name, sha256]));
    const stale = this.#ledger.record.files.filter(({ name, sha256 }) => same.get(name) !== sha256);
    for (const { name } of stale) await this.#folder.removePart(name);
    await this.#ledger.set({ files });
  }

  async #checkRoom(): Promise<void> {
    const open = this.#ledger.record.files.filter(({ state }) => state === "open");
    const needs = await Promise.all(
      open.map(async ({ name, size }) => (size ?? 0) - ((await this.#folder.partSize(name)) ?? 0)),
    );
    const needed = needs.reduce((sum, bytes) => sum + Math.max(0, bytes), 0);
    const free = Math.max(
      0,
      (await this.#folder.room()) -
        this.#bench.timings.reserve -
        this.#bench.promised(this.#ledger.record.id),
    );
    if (needed === 0 || needed <= free) return;
    const message =
      `There is not enough room on the disk: ${gigabytes(needed)} are needed, ` +
      `${gigabytes(free)} are free.`;
    throw new AppError({ code: "storage_unavailable", message });
  }

  /** Sees to it that all bytes of one file are there and are the right ones. */
  async #bring(name: string): Promise<void> {
    const file = this.#ledger.file(name);
    const expected = this.#ledger.record.asked.sha256 ?? file.sha256;
    if (file.sha256 !== null && expected !== file.sha256)
      throw sourceFault(`"${name}" has another SHA-256 at the source than the one that was asked for.`);
    if (file.state === "checked" && (await this.#folder.partSize(name)) === file.bytes) return;
    if (expected !== null && (await this.#folder.has(name, file.size, expected, this.#signal)))
      return this.#ledger.put(name, { state: "present", bytes: (await this.#folder.size(name)) ?? 0 });
    await this.#ledger.put(name, { state: "open" });
    const part = await this.#folder.open(name, this.#signal);
    this.#ledger.grows(name, part);
    try {
      await this.#fill(file, part, expected);
      await part.sync();
    } finally {
      await part.close().finally(() => this.#ledger.grows(name, undefined));
    }
    await this.#ledger.put(name, { state: "checked" });
  }

  async #fill(file: StoredFile, part: PartFile, expected: string | null): Promise<void> {
    if (file.size !== null && part.size > file.size) await part.reset();
    const isWhole = part.size === file.size;
    const resumed = isWhole ? part.size > 0 : await this.#fetch(file, part);
    if (expected === null || part.sha256 === expected) return;
    await part.reset();
    throw sourceFault(`"${file.name}" came with another SHA-256 than it should have.`, {
      retryable: resumed,
    });
  }

  #fetch(file: StoredFile, part: PartFile): Promise<boolean> {
    const { catalogue, timings } = this.#bench;
    const source = {
      stream: catalogue.stream(),
      headersFor: (url: string) => catalogue.headersFor(url),
      signal: this.#signal,
      patience: timings.patience,
    };
    return fetchFile(file, part, source, {
      version: (version) => this.#ledger.put(file.name, version),
      bytes: (count) => this.#ledger.count(count),
    });
  }

  /** Bytes that no model can be made of are not kept: another try would find them whole. */
  async #checkFormat(): Promise<void> {
    for (const { name, state } of this.#ledger.record.files) {
      if (state !== "checked") continue;
      await this.#folder.check(name).catch(async (error: unknown) => {
        await this.#folder.removePart(name);
        await this.#ledger.put(name, { state: "open", bytes: 0, validator: null });
        throw error;
      });
    }
  }

  /** The file that stands for the model comes last: nobody sees a model of which parts are missing. */
  async #install(): Promise<void> {
    const { asked, files } = this.#ledger.record;
    for (const { name, state } of files.toReversed())
      if (state === "checked") await this.#folder.install(name);
    const names = files.map(({ name }) => name);
    await this.#ledger.set({ status: "completed", modelId: modelIdOf(asked.repoId, names) });
    this.#bench.parts.models.refresh();
  }
}
