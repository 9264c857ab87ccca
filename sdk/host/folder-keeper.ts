import type { FolderService } from "../contract/folders.ts";

export interface FolderKeeper extends FolderService {
  /** Does work during which the folder is not deleted. */
  beside<T>(id: string, work: () => Promise<T>): Promise<T>;
}
