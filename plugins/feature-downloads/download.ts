import { setTimeout } from "node:timers/promises";
import { AppError } from "@pergola/sdk";
import type { DownloadStatus } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { Ledger } from "./ledger.ts";
import { ModelFolder } from "./model-folder.ts";
import { isFinal, type PlannedFile, type StoredDownload, type StoredFile } from "./records.ts";
import { asDiskFault, isFull } from "./source-fault.ts";
import { Transfer } from "./transfer.ts";

/** Progress after which a failure counts as the first one again. */
const worthwhile = 1_048_576;
const longestWait = 60_000;

/** One download through its states: begun, tried again, cancelled, interrupted, done. */
export class Download {
  readonly #bench: Bench;
  readonly #folder: ModelFolder;
  readonly #ledger: Ledger;
  #controller = new AbortController();
  #work: Promise<void> | undefined;

  constructor(bench: Bench, record: StoredDownload) {
    this.#bench = bench;
    this.#ledger = new Ledger(bench, record);
    this.#folder = new ModelFolder(
      bench.parts.preferences.get("downloads.path"),
      record.asked.repoId,
      record.id,
    );
  }

  get record(): StoredDownload {
    return this.#ledger.record;
  }

  get status(): DownloadStatus {
    return this.#ledger.status;
  }

  /** Bytes that are about to be written, as far as is known. */
  get missing(): number {
    return this.#ledger.missing;
  }

  /** Whether it is at work, or done and its files are still there. */
  async isThere(): Promise<boolean> {
    const { status, files } = this.record;
    if (status !== "completed") return !isFinal(status);
    const sizes = await Promise.all(
      files.map(async ({ name, bytes }) => (await this.#folder.size(name)) === bytes),
    );
    return sizes.every(Boolean);
  }

  /** Whether this host works on it. */
  get isAtWork(): boolean {
    return !isFinal(this.record.status);
  }

  /** Resolves once it is stored that it is to be done. Without a plan the source is asked for one. */
  async begin(plan?: readonly PlannedFile[]): Promise<void> {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const startedAt = new Date(this.#bench.parts.clock.now()).toISOString();
    await this.#work;
    const release = await this.#bench.hold(this.record.id);
    try {
      await this.#ledger.set({ status: "starting", error: null, startedAt });
    } catch (error) {
      await release();
      throw error;
    }
    this.#work = this.#take(plan, signal).finally(release);
  }

  /** Resolves when nothing is written any more. Rejects with `download_finished`. */
  async cancel(keepPartial: boolean): Promise<void> {
    this.#refuseFinished();
    await this.#halt();
    this.#refuseFinished();
    if (!keepPartial) await this.#removeParts();
    await this.#ledger.set({ status: "cancelled", error: null });
  }

  /** Removes what there is of it. It has stopped before. */
  async discard(): Promise<void> {
    await this.#work;
    await this.#removeParts();
  }

  /** Ends the work on it, or what another host left of it, so that it can be gone on with. */
  async interrupt(): Promise<void> {
    await this.#halt();
    if (isFinal(this.record.status)) return;
    const look = async (file: StoredFile): Promise<StoredFile> =>
      file.state === "present" ? file : { ...file, bytes: (await this.#folder.partSize(file.name)) ?? 0 };
    await this.#ledger.set({
      status: "failed",
      error: "interrupted",
      files: await Promise.all(this.record.files.map(look)),
    });
  }

  #refuseFinished(): void {
    const { status } = this.record;
    if (status !== "completed" && status !== "failed") return;
    throw new AppError({ code: "download_finished", message: `The download has ended: it is ${status}.` });
  }

  async #halt(): Promise<void> {
    this.#controller.abort();
    await this.#work;
  }

  /** Never rejects. */
  async #take(plan: readonly PlannedFile[] | undefined, signal: AbortSignal): Promise<void> {
    try {
      const leave = await this.#bench.slots.enter(signal);
      await this.#tryOften(plan, signal).finally(leave);
    } catch (error) {
      if (!signal.aborted) await this.#fail(error);
    }
  }

  async #tryOften(first: readonly PlannedFile[] | undefined, signal: AbortSignal): Promise<void> {
    const { catalogue, timings } = this.#bench;
    const transfer = new Transfer(this.#bench, this.#ledger, this.#folder, signal);
    let plan = first;
    for (let failures = 0; ;) {
      const before = this.#ledger.received;
      try {
        return await transfer.run(plan ?? (await catalogue.plan(this.record.asked, signal)));
      } catch (error) {
        signal.throwIfAborted();
        failures = this.#ledger.received - before >= worthwhile ? 1 : failures + 1;
        if (!AppError.is(error) || error.details?.["retryable"] !== true || failures >= timings.tries)
          throw error;
        this.#bench.parts.log.info({ downloadId: this.record.id, error }, "a download is tried again");
        await this.#pause(error, failures, signal);
        plan = undefined;
      }
    }
  }

  /** As long as the source asks, at least; doubled with each failure, up to a minute. */
  async #pause({ retryAfter = 0 }: AppError, failures: number, signal: AbortSignal): Promise<void> {
    const wait = Math.max(retryAfter * 1000, this.#bench.timings.wait * 2 ** (failures - 1));
    await setTimeout(Math.min(longestWait, wait), undefined, { signal });
  }

  async #fail(error: unknown): Promise<void> {
    const { parts } = this.#bench;
    const isFreed = isFull(error) && !this.record.keepPartial;
    if (isFreed) await this.#removeParts().catch(() => undefined);
    const { message } = parts.errorOf(asDiskFault(error, isFreed), { downloadId: this.record.id });
    await this.#ledger.set({ status: "failed", error: parts.redact(message) }).catch((cause: unknown) => {
      parts.log.error(
        { downloadId: this.record.id, error: cause },
        "a failed download could not be stored; the next start finds it interrupted",
      );
    });
  }

  async #removeParts(): Promise<void> {
    for (const { name } of this.record.files) await this.#folder.removePart(name);
    const empty = { state: "open", bytes: 0, validator: null } as const;
    await this.#ledger.set({
      files: this.record.files.map((file) => (file.state === "present" ? file : { ...file, ...empty })),
    });
  }
}
