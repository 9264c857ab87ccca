import { AppError, newId, type Collection } from "@pergola/sdk";
import type {
  DownloadKeeper,
  DownloadService,
  DownloadRequest,
  DownloadStatus,
  Parts,
} from "@pergola/sdk/host";
import { targetOf, isSame } from "./download-target.ts";
import type { Bench, Timings } from "./bench.ts";
import { Catalogue } from "./catalogue.ts";
import { Download } from "./download.ts";
import { fitOf, machineWith } from "./fitting.ts";
import { follow, type Listener } from "./follow.ts";
import { roomIn } from "./model-folder.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { Owners } from "./owners.ts";
import {
  collection,
  isFinal,
  openRecords,
  statusOf,
  type DownloadTarget,
  type PlannedFile,
  type StoredDownload,
} from "./records.ts";
import { Slots } from "./slots.ts";

const usual: Timings = {
  patience: 60,
  tries: 6,
  wait: 1000,
  reserve: 134_217_728,
};

interface Started {
  readonly status: DownloadStatus;
  readonly existing: boolean;
}

/** All downloads: those at work, those that wait, and what became of the others. */
export class Downloads implements DownloadKeeper {
  readonly #parts: Parts;
  readonly #records: Collection<StoredDownload>;
  readonly #bench: Bench;
  readonly #owners: Owners;
  readonly #downloads = new Map<string, Download>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #starting: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, timings: Partial<Timings> = {}) {
    this.#parts = parts;
    this.#records = openRecords(parts.stores.storage);
    this.#owners = new Owners(parts, this.#records);
    this.#bench = {
      parts,
      catalogue: new Catalogue(parts),
      slots: new Slots(() => parts.preferences.get<number>("downloads.max_parallel")),
      timings: { ...usual, ...timings },
      save: (record) => this.#records.put(this.#owners.marked(record)),
      isShared: this.#owners.areSeveral,
      hold: (id) => this.#hold(id),
      publish: (status) => this.#publish(status),
      promised: (id) =>
        this.#all().reduce((sum, { record, missing }) => (record.id === id ? sum : sum + missing), 0),
    };
  }

  /** Takes over what the last host knew. What it was at then is interrupted, unless another is at it. */
  async recover(): Promise<void> {
    const records = await this.#records.find({}, { order: "startedAt", limit: 100_000 });
    for (const { version: _, ...record } of records)
      if (this.#owners.isOurs(record)) this.#downloads.set(record.id, new Download(this.#bench, record));
      else if (!isFinal(record.status)) await this.#settleLeft(record.id);
    this.#owners.settleAbandoned();
    if (this.#owners.areSeveral)
      this.#parts.stores.storage.watch(collection, ({ id }) => void this.#readAgain(id));
    await Promise.all(this.#all().map((download) => this.#interruptLeft(download)));
    await this.#sweep(records.map(({ id }) => id));
  }

  async #interruptLeft(download: Download): Promise<void> {
    if (!download.isAtWork) return;
    const release = await this.#owners.take(download.record.id);
    if (release === undefined) return void this.#downloads.delete(download.record.id);
    await download.interrupt().finally(release);
  }

  /** Of a host that may have another name by now. */
  async #settleLeft(id: string): Promise<void> {
    const release = await this.#owners.take(id);
    if (release !== undefined) await this.#owners.settle(id).finally(release);
  }

  async #hold(id: string): Promise<() => Promise<void>> {
    const release = await this.#owners.take(id);
    if (release !== undefined) return release;
    throw new AppError({ code: "in_use", message: "Another host is at work on this download." });
  }

  #publish(status: DownloadStatus): void {
    this.#listeners.get(status.downloadId)?.forEach((listener) => listener(status));
  }

  /** What another host has written of a download. */
  async #readAgain(id: string): Promise<void> {
    if (this.#downloads.get(id)?.isAtWork === true) return;
    try {
      const found = await this.#records.get(id);
      const own = this.#downloads.get(id);
      if (own?.isAtWork === true || own?.record.updatedAt === found?.updatedAt) return;
      this.#downloads.delete(id);
      if (found === undefined) return;
      const { version: _, ...record } = found;
      if (isFinal(record.status) && this.#owners.isOurs(record))
        this.#downloads.set(id, new Download(this.#bench, record));
      this.#publish(statusOf(record, 0));
    } catch (error) {
      this.#parts.log.debug({ error }, "a download of another host could not be read");
    }
  }

  /** A service that lost its data, or keeps none, leaves bytes of which nobody knows any more. */
  async #sweep(known: readonly string[]): Promise<void> {
    const { preferences, clock, log } = this.#parts;
    const removed = await removeOrphans(preferences.get("downloads.path"), known, clock.now()).catch(
      (error: unknown) => {
        log.warn({ error }, "the folder of models cannot be looked through");
        return [];
      },
    );
    if (removed.length > 0) log.info({ removed }, "unfinished downloads of which nobody knows were removed");
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all().map((download) => download.interrupt()));
  }

  async start(request: DownloadRequest, signal: AbortSignal): Promise<Started> {
    const { catalogue } = this.#bench;
    const target = targetOf(request, {
      origin: catalogue.origin,
      allowedHosts: this.#parts.preferences.get<string[]>("downloads.allowed_hosts"),
    });
    const known = this.#all().find(({ record }) => isSame(record.asked, target));
    if (known !== undefined && (await known.isThere())) return { status: known.status, existing: true };
    const plan = await catalogue.plan(target, signal);
    const begun = this.#starting.then(() => this.#begin(target, plan, request.keepPartial ?? false));
    this.#starting = begun.catch(() => undefined);
    return begun;
  }

  async list(): Promise<readonly DownloadStatus[]> {
    const own = this.#all().map(({ status }) => status);
    const known = new Set(own.map(({ downloadId }) => downloadId));
    const others = (await this.#owners.stored()).filter(({ downloadId }) => !known.has(downloadId));
    const statuses = [...own, ...others];
    return statuses.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)).reverse();
  }

  async get(id: string): Promise<DownloadStatus> {
    return (await this.#other(id)) ?? this.#find(id).status;
  }

  async #other(id: string): Promise<DownloadStatus | undefined> {
    return this.#downloads.has(id.toLowerCase()) ? undefined : this.#owners.storedOne(id);
  }

  async cancel(id: string, { keepPartial }: { readonly keepPartial: boolean }): Promise<DownloadStatus> {
    const download = await this.#own(id);
    await download.cancel(keepPartial);
    return download.status;
  }

  async resume(id: string): Promise<DownloadStatus> {
    const download = await this.#stopped(id, "can be resumed");
    await download.begin();
    return download.status;
  }

  async discard(id: string): Promise<DownloadStatus> {
    const download = await this.#stopped(id, "has anything to remove");
    await download.discard();
    return download.status;
  }

  async *watch(id: string, signal: AbortSignal): AsyncGenerator<DownloadStatus, void> {
    const listen = (listener: Listener) => {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners.add(listener));
      return () => void (listeners.delete(listener) && listeners.size === 0 && this.#listeners.delete(id));
    };
    yield* follow(await this.get(id), listen, signal, () => this.#parts.clock.now());
  }

  async search(
    query: string,
    { limit }: { readonly limit: number },
    signal: AbortSignal,
  ): ReturnType<DownloadService["search"]> {
    const found = await this.#bench.catalogue.search(query, limit, signal);
    const room = await roomIn(this.#parts.preferences.get<string>("downloads.path"));
    const machine = machineWith(Math.max(0, room - this.#bench.timings.reserve));
    const fitting = (file: (typeof found)[number]["files"][number]) => ({
      ...file,
      fits: fitOf(file.sizeBytes, machine),
    });
    return { models: found.map((one) => ({ ...one, files: one.files.map(fitting) })), machine };
  }

  /** One at a time, so that the same target asked for twice at once is one download. */
  async #begin(target: DownloadTarget, plan: readonly PlannedFile[], keepPartial: boolean): Promise<Started> {
    const known = this.#all().find((download) => this.#isTarget(download, target, plan));
    if (known !== undefined && (await known.isThere())) return { status: known.status, existing: true };
    if (known !== undefined && isFinal(known.record.status) && known.record.status !== "completed") {
      await known.begin(plan);
      return { status: known.status, existing: false };
    }
    if (known !== undefined) await this.#forget(known);
    const files = plan.map((file) => ({ ...file, validator: null, state: "open", bytes: 0 }) as const);
    const now = this.#parts.timestamp();
    const state = {
      status: "starting",
      error: null,
      modelId: null,
      startedAt: now,
      updatedAt: now,
    } as const;
    const download = new Download(this.#bench, {
      id: newId.uuid(),
      asked: target,
      keepPartial,
      files,
      ...state,
    });
    await download.begin(plan);
    this.#downloads.set(download.record.id, download);
    return { status: download.status, existing: false };
  }

  /** The same was asked for, or in other words the same files of the same version. */
  #isTarget({ record }: Download, target: DownloadTarget, plan: readonly PlannedFile[]): boolean {
    if (isSame(record.asked, target)) return true;
    const named = { ...target, filename: record.asked.filename };
    const names = plan.map(({ name }) => name);
    return (
      isSame(record.asked, named) && record.files.map(({ name }) => name).join("\n") === names.join("\n")
    );
  }

  async #forget({ record }: Download): Promise<void> {
    this.#downloads.delete(record.id);
    await this.#records.delete(record.id);
  }

  #find(id: string): Download {
    const found = this.#downloads.get(id.toLowerCase());
    if (found === undefined)
      throw new AppError({ code: "not_found", message: `There is no download "${id}".` });
    return found;
  }

  /** Rejects with `wrong_host` for another host's. */
  async #own(id: string): Promise<Download> {
    const known = id.toLowerCase();
    if (this.#owners.areSeveral && !this.#downloads.has(known)) await this.#readAgain(known);
    if (!this.#downloads.has(known)) await this.#owners.refuse(known);
    return this.#find(id);
  }

  async #stopped(id: string, what: string): Promise<Download> {
    const download = await this.#own(id);
    const { status } = download.record;
    if (status === "failed" || status === "cancelled") return download;
    throw new AppError({
      code: "not_resumable",
      message: `Only a failed or cancelled download ${what}; this one is ${status}.`,
    });
  }

  #all(): readonly Download[] {
    return [...this.#downloads.values()];
  }
}
