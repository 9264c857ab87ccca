import type { Collection, Entity, Storage } from "@pergola/sdk";
import type { DownloadRequest, DownloadState, DownloadStatus } from "@pergola/sdk/host";
import type { SourceFile } from "./choose-files.ts";

/** What was asked for, complete and checked. */
export interface DownloadTarget {
  readonly repoId: string;
  readonly filename: string | null;
  readonly revision: string;
  readonly sha256: string | null;
  /** Of a file that no catalogue knows. */
  readonly url: string | null;
}

/** A file to come, and where it is. */
export interface PlannedFile extends SourceFile {
  readonly url: string;
}

export interface StoredFile extends PlannedFile {
  /** What the source called the version that the partial bytes are of: a strong ETag, or a date. */
  readonly validator: string | null;
  /** All bytes are there and are the right ones; `present` when they were there before. */
  readonly state: "open" | "checked" | "present";
  /** When it was last looked. */
  readonly bytes: number;
}

export interface StoredDownload extends Entity {
  readonly asked: DownloadTarget;
  readonly keepPartial: NonNullable<DownloadRequest["keepPartial"]>;
  readonly status: DownloadState;
  readonly error: string | null;
  readonly files: readonly StoredFile[];
  readonly modelId: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** The label of the host whose disk its files are on, where several share the storage. */
  readonly host?: string;
}

export const collection = "service-downloads/downloads";

export const openRecords = (storage: Storage): Collection<StoredDownload> =>
  storage.collection<StoredDownload>(collection, { indexes: ["startedAt"] });

export const isFinal = (status: DownloadState): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";

/** null while the size of one is not known. */
function sumOf(sizes: readonly (number | null)[]): number | null {
  if (sizes.includes(null)) return null;
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

function progressOf(status: DownloadState, bytes: number, totalBytes: number | null): number {
  if (status === "completed") return 1;
  if (!totalBytes) return 0;
  return Math.min(1, bytes / totalBytes);
}

/** Seconds that are left; null while nobody knows. */
function secondsLeft(bytes: number, totalBytes: number | null, speed: number): number | null {
  if (totalBytes === null || speed === 0) return null;
  return Math.ceil((totalBytes - bytes) / speed);
}

function fileStatus({ state, bytes }: StoredFile, status: DownloadState): DownloadState {
  if (state !== "open") return "completed";
  if (status === "downloading" && bytes === 0) return "starting";
  return status;
}

/** A record as clients see it, with the speed of the moment in bytes per second. */
export function statusOf(
  { id, asked, status, error, files, modelId, startedAt, updatedAt }: StoredDownload,
  speed: number,
): DownloadStatus {
  const bytesDownloaded = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const totalBytes = sumOf(files.map(({ size }) => size));
  return {
    downloadId: id,
    repoId: asked.repoId,
    filename: asked.filename ?? files[0]?.name ?? "",
    status,
    progress: progressOf(status, bytesDownloaded, totalBytes),
    bytesDownloaded,
    totalBytes: totalBytes ?? (status === "completed" ? bytesDownloaded : null),
    downloadSpeed: speed,
    eta: status === "downloading" ? secondsLeft(bytesDownloaded, totalBytes, speed) : null,
    error,
    files: files.map((file) => ({
      name: file.name,
      bytesDownloaded: file.bytes,
      totalBytes: file.size,
      status: fileStatus(file, status),
    })),
    modelId,
    startedAt,
    updatedAt,
  };
}
