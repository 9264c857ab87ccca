import type { FolderService } from "../contract/folders.ts";

/** Folders as the host uses them. */
export interface FolderKeeper extends FolderService {
  /** Does work during which the folder is not deleted. */
  withLock<T>(id: string, work: () => Promise<T>): Promise<T>;
}
