import type { DownloadStatus, Parts } from "@pergola/sdk/host";
import type { Catalogue } from "./catalogue.ts";
import type { StoredDownload } from "./records.ts";
import type { Slots } from "./slots.ts";

export interface Timings {
  /** Seconds to the first byte, and between bytes. */
  readonly patience: number;
  /** Failures in a row after which a download is given up. */
  readonly tries: number;
  /** Milliseconds before the second try; doubled each time. */
  readonly wait: number;
  /** Bytes that others are left on the disk. */
  readonly reserve: number;
}

/** What a download needs of the host and of the other downloads. */
export interface Bench {
  readonly parts: Parts;
  readonly catalogue: Catalogue;
  readonly slots: Slots;
  readonly timings: Timings;
  save(record: StoredDownload): Promise<void>;
  /** Whether others read in the storage how far a download is. */
  readonly isShared: boolean;
  /** Takes a download until what it gives is called. Rejects with `in_use` while another host has it. */
  hold(id: string): Promise<() => Promise<void>>;
  publish(status: DownloadStatus): void;
  /** Bytes that the other downloads at work will still write. */
  promised(id: string): number;
}
