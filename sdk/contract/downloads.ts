/**
 * Where a download stands. `starting` until bytes come, the wait for a free place among them; the last three
 * are final, two of them resumable.
 */
export type DownloadState = "starting" | "downloading" | "completed" | "failed" | "cancelled";

/** The progress of one file. */
export interface DownloadedFile {
  /** Its path in the repository. */
  readonly name: string;
  readonly bytesDownloaded: number;
  /** null while nobody knows. */
  readonly totalBytes: number | null;
  readonly status: DownloadState;
}

/** What is known of one download, in the words of the wire. */
export interface DownloadStatus {
  /** A UUID. */
  readonly downloadId: string;
  readonly repoId: string;
  /** The file that was asked for, or the first that the model needs. */
  readonly filename: string;
  readonly status: DownloadState;
  /** 0 to 1. */
  readonly progress: number;
  readonly bytesDownloaded: number;
  readonly totalBytes: number | null;
  /** Bytes per second, a moving average. */
  readonly downloadSpeed: number;
  /** Seconds that are left; null while nobody knows. */
  readonly eta: number | null;
  readonly error: string | null;
  readonly files: readonly DownloadedFile[];
  /** Once completed, of a model that can be run. */
  readonly modelId: string | null;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly updatedAt: string;
}

/** What is to be downloaded: a repository, or one file's address. */
export interface DownloadRequest {
  /** `owner/name`. */
  readonly repoId?: string;
  /** Default: every file that the model needs. Of a split file all parts come. */
  readonly filename?: string;
  /** Default: `main`. */
  readonly revision?: string;
  /** What the one file must have, 64 hexadecimal digits in lower case. */
  readonly sha256?: string;
  /** An https address on one of the hosts of `downloads.allowed_hosts`, instead of a repository. */
  readonly modelUrl?: string;
  /** What has come stays on the disk when that is full; else it is removed, so that there is room again. */
  readonly keepPartial?: boolean;
}

/** A repository that the source found. */
export interface FoundRepository {
  readonly repoId: string;
  readonly downloads: number;
  readonly likes: number;
  /** ISO 8601; null when the source does not tell. */
  readonly updatedAt: string | null;
  /** Its files are given only to those whose token has access. */
  readonly gated: boolean;
  /**
   * The models in it, the one that a download without a name would take first; none where the source does not
   * tell.
   */
  readonly files: readonly FoundFile[];
}

/** A model file; one in parts is named by the first. */
export interface FoundFile {
  readonly filename: string;
  /** Of all its parts; null while nobody knows. */
  readonly sizeBytes: number | null;
  /** As `Q4_K_M`; null when the name does not tell. */
  readonly quantization: string | null;
  /** Whether it can be run here: in the memory that is free, in all there is, not at all or on no disk. */
  readonly fits: "yes" | "tight" | "no" | "unknown";
}

/** What this computer has for models, in bytes. */
export interface Machine {
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  /** Where downloads go. */
  readonly freeDiskBytes: number;
}

/**
 * Models from the source of `downloads.base_url` into the folder of `downloads.path`:
 * `<owner>/<name>/<file>`.
 */
export interface DownloadService {
  /**
   * Asks the source what is to come, and begins. The same target at work or installed is `existing`; one that
   * failed or was cancelled goes on. Rejects with `invalid_value`, `missing_field`, `provider_auth_failed`,
   * `provider_rate_limited` or `provider_error`.
   */
  start(
    request: DownloadRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: DownloadStatus; readonly existing: boolean }>;
  /** Newest first. */
  list(): Promise<readonly DownloadStatus[]>;
  /** Rejects with `not_found`. */
  get(id: string): Promise<DownloadStatus>;
  /**
   * Resolves when nothing is written any more, and the partial bytes are gone unless they are kept. Rejects
   * with `not_found` or `download_finished`.
   */
  cancel(id: string, options: { readonly keepPartial: boolean }): Promise<DownloadStatus>;
  /** Rejects with `not_found` or `not_resumable`. */
  resume(id: string): Promise<DownloadStatus>;
  /**
   * Removes what one that failed or was cancelled has kept; a resume begins from zero then. Rejects with
   * `not_found` or `not_resumable`.
   */
  discard(id: string): Promise<DownloadStatus>;
  /**
   * The status now, at each change of state and at most twice a second; it ends after a final one. Rejects
   * with `not_found`.
   */
  watch(id: string, signal: AbortSignal): AsyncIterable<DownloadStatus>;
  /** Repositories with models for `local-llama`, those with the most downloads first. Rejects as `start`. */
  search(
    query: string,
    options: { readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly models: readonly FoundRepository[]; readonly machine: Machine }>;
}
