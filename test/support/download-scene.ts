import { readdirSync } from "node:fs";
import path from "node:path";
import { AppError, type Storage } from "@pergola/sdk";
import { openStores, type DownloadRequest, type DownloadStatus, type Parts } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openDoors } from "../../plugins/bridge-machine/open-doors.ts";
import type { Timings } from "../../plugins/feature-downloads/bench.ts";
import { Downloads } from "../../plugins/feature-downloads/downloads.ts";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { silentLog } from "./memory-scene.ts";

export interface SceneOptions {
  readonly url: string;
  readonly folder?: string;
  readonly storage?: Storage;
  readonly timings?: Partial<Timings>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface DownloadScene {
  readonly downloads: Downloads;
  /** Of the models. */
  readonly folder: string;
  readonly storage: Storage;
  /** How often the providers were told to look again. */
  readonly refreshed: () => number;
  /** What was no failure that may be shown. */
  readonly bugs: unknown[];
  start(request: DownloadRequest): Promise<DownloadStatus>;
  /** The status once it is final, or the first that fits. */
  until(id: string, fits?: (status: DownloadStatus) => boolean): Promise<DownloadStatus>;
  /** The files below the folder. */
  files(): readonly string[];
}

const quick: Timings = { patience: 5, tries: 4, wait: 10, reserve: 0 };

/** The downloads of a host, with the real door to the network, and short waits. */
export async function openDownloads(options: SceneOptions): Promise<DownloadScene> {
  const {
    url,
    folder = path.join(temporaryFolder("pergola-models-"), "models"),
    storage = new MemoryStorage(silentLog),
  } = options;
  const values: Readonly<Record<string, unknown>> = {
    "downloads.base_url": url,
    "downloads.allowed_hosts": ["files.example"],
    "downloads.path": folder,
    "downloads.max_parallel": 2,
    "downloads.token": "",
    ...options.settings,
  };
  const clock = { now: () => Date.now() };
  const bugs: unknown[] = [];
  let refreshed = 0;
  const parts = {
    doors: openDoors({ dataDirectory: folder, clock, preference: () => undefined }),
    preferences: { get: (key: string) => values[key] },
    stores: openStores(storage),
    models: { refresh: () => (refreshed += 1) },
    clock,
    log: silentLog,
    dataDirectory: folder,
    timestamp: () => new Date().toISOString(),
    redact: (text: string) => text,
    errorOf: (error: unknown) => {
      if (AppError.is(error)) return error;
      bugs.push(error);
      return new AppError({ code: "internal_error", message: "a bug" });
    },
  } as unknown as Parts;
  const downloads = new Downloads(parts, { ...quick, ...options.timings });
  await downloads.recover();
  return {
    downloads,
    folder,
    storage,
    bugs,
    refreshed: () => refreshed,
    start: async (request) => (await downloads.start(request, AbortSignal.timeout(5000))).status,
    until: async (id, fits = ({ status }) => /completed|failed|cancelled/.test(status)) => {
      const leave = new AbortController();
      for await (const status of downloads.watch(id, leave.signal)) if (fits(status)) return status;
      throw new Error(`The download ended before that: ${JSON.stringify(await downloads.get(id))}`);
    },
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort(),
  };
}
