import {
  detachAll,
  NamedRecords,
  retryConflicts,
  type Folder,
  type FolderKeeper,
  type FolderService,
  type Parts,
} from "@pergola/sdk/host";

/** Folders in the host's storage. Which conversations are in one is told by the conversations. */
export class Folders extends NamedRecords<Folder> implements FolderKeeper {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.stores.storage, "folders", "folder");
    this.#parts = parts;
  }

  async create(fields: Parameters<FolderService["create"]>[0]): ReturnType<FolderService["create"]> {
    const { color = null, icon = null, isCollapsed = false } = fields;
    const make = (id: string, name: string): Folder => ({ id, name, color, icon, isCollapsed });
    const { record, isNew } = await this.findOrCreate(fields.name, make);
    return { folder: record, isNew };
  }

  update(id: string, changes: Parameters<FolderService["update"]>[1]): Promise<Folder> {
    return this.change(id, (now) => {
      const { name, color, icon, isCollapsed } = { ...now, ...changes };
      return { id: now.id, name, color, icon, isCollapsed };
    });
  }

  delete(id: string): Promise<void> {
    const folderId = id.toLowerCase();
    const remove = async () => detachAll(this.#parts, { folderId }, await this.removalWrites(folderId));
    return this.withLock(id, () => retryConflicts(remove));
  }
}
