import type { Page } from "@pergola/sdk";
import {
  NamedRecords,
  retryConflicts,
  type Folder,
  type FolderKeeper,
  type FolderService,
  type Parts,
} from "@pergola/sdk/host";

/** Conversations that are taken out in one commit: the last of them together with the folder. */
const batchSize = 500;

/** Folders in the host's storage. Which conversations are in one is told by the conversations. */
export class Folders implements FolderKeeper {
  readonly #parts: Parts;
  readonly #folders: NamedRecords<Folder>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folders = new NamedRecords<Folder>(parts.stores.storage, "folders", "folder");
  }

  list(page: Parameters<FolderService["list"]>[0]): Promise<Page<Folder>> {
    return this.#folders.list(page);
  }

  find(id: string): Promise<Folder | undefined> {
    return this.#folders.find(id);
  }

  async create(fields: Parameters<FolderService["create"]>[0]): ReturnType<FolderService["create"]> {
    const { color = null, icon = null, isCollapsed = false } = fields;
    const { record, isNew } = await this.#folders.create(fields.name, (id, name) => ({
      id,
      name,
      color,
      icon,
      isCollapsed,
    }));
    return { folder: record, isNew };
  }

  update(id: string, changes: Parameters<FolderService["update"]>[1]): Promise<Folder> {
    return this.#folders.change(id, (now) => {
      const { name, color, icon, isCollapsed } = { ...now, ...changes };
      return { id: now.id, name, color, icon, isCollapsed };
    });
  }

  delete(id: string): Promise<void> {
    return this.withLock(id, () => retryConflicts(() => this.#remove(id.toLowerCase())));
  }

  /** The folder goes in one commit with the last of the conversations that were in it. */
  async #remove(folderId: string): Promise<void> {
    const { conversations, stores } = this.#parts;
    const removal = await this.#folders.removalWrites(folderId);
    let detached = await conversations.detachWrites({ folderId }, batchSize);
    while (detached.length >= batchSize) {
      await stores.commit(detached);
      detached = await conversations.detachWrites({ folderId }, batchSize);
    }
    await stores.commit([...detached, ...removal]);
  }

  withLock<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#folders.withLock(id, work);
  }
}
