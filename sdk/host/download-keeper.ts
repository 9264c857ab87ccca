import type { DownloadService } from "../contract/downloads.ts";

/** Downloads as the host uses them. */
export interface DownloadKeeper extends DownloadService {
  /** Takes over what the last host knew; what it was at then is interrupted. */
  recover(): Promise<void>;
  /** Interrupts everything; resolves when all of it is stored. */
  stop(): Promise<void>;
}
