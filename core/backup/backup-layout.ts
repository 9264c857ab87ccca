/** The format of the files that `pergola backup` writes. */
export const backupFormat = 1;

/** A symbolic link of a workspace: archives of ours hold files and folders only. */
export interface KeptLink {
  /** Below the data directory. */
  readonly path: string;
  readonly target: string;
}

/** What stands first in a backup, as `manifest.json`. */
export interface BackupManifest {
  readonly format: number;
  /** The version of Pergola that made it. */
  readonly pergola: string;
  readonly created: string;
  /** The type of the storage. */
  readonly storage: string;
  readonly links: readonly KeptLink[];
}

/** In a backup: the store's own copy, and the rest of the data directory. */
export const [storeFolder, dataFolder, manifestFile] = ["store", "data", "manifest.json"] as const;

/** What links may lie in: whatever else the data directory holds, Pergola made without any. */
export const linkedFolder = "workspaces";

/** Begins the names of folders that a backup in the making stands in. */
export const stagePrefix = ".backup-";

/** Can be had again, or is of use to the service that runs only. */
const leftOut = ["models", "sandbox", "first-token", "service.json", "service.json.new"];

/** Whether something at the top of the data directory belongs into a backup. */
export const isKept = (name: string, store: readonly string[]): boolean =>
  !name.startsWith(stagePrefix) && !leftOut.includes(name) && !store.includes(name);
