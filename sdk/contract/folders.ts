import type { Page, PageRange } from "./page.ts";

/** Where a person puts conversations together. It has no meaning for models. */
export interface Folder {
  /** A UUID. */
  readonly id: string;
  /** No other folder has it, in any case. */
  readonly name: string;
  readonly color: string | null;
  readonly icon: string | null;
  readonly isCollapsed: boolean;
}

/** Rejections: AppError `not_found`, `invalid_value`. */
export interface FolderService {
  /** By name. */
  list(page: PageRange): Promise<Page<Folder>>;
  find(id: string): Promise<Folder | undefined>;
  /** A folder of that name that there is already is given back as it is. */
  create(
    fields: Pick<Folder, "name"> & Partial<Folder>,
  ): Promise<{ readonly folder: Folder; readonly isNew: boolean }>;
  /** Rejects with `id_taken` when another folder has the name. */
  update(id: string, changes: Partial<Omit<Folder, "id">>): Promise<Folder>;
  /** Its conversations are in no folder then. */
  delete(id: string): Promise<void>;
}
