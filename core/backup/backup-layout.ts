/** The format of the files that `pergola backup` writes. */
export const backupFormat = 1;

/** A symbolic link of a workspace: archives of ours hold files and folders only. */
export interface KeptLink {
  /** Below the data directory. */
  readonly path: string;
  readonly target: string;
}

/** One file of a backup. */
export interface BackedUpFile {
  /** Its name in the archive. */
  readonly path: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
}

/** What stands last in a backup, as `manifest.json`. */
export interface BackupManifest {
  readonly format: number;
  /** The version of Pergola that made it. */
  readonly pergola: string;
  readonly created: string;
  /** The type of the storage. */
  readonly storage: string;
  readonly links: readonly KeptLink[];
  /** All others. */
  readonly files: readonly BackedUpFile[];
}

/** In a backup: the store's own copy, and the rest of the data directory. */
export const [storeFolder, dataFolder, manifestFile] = ["store", "data", "manifest.json"] as const;

/** What links may lie in: whatever else the data directory holds, Pergola made without any. */
export const linkedFolder = "workspaces";

/** Begins the names of folders that a backup in the making stands in. */
export const stagePrefix = ".backup-";

/** Can be had again, is of use to this computer or the service that runs only, or opens the secrets. */
const leftOut = [
  "models",
  "sandbox",
  "logs",
  "chat-history",
  "chat-history.new",
  "first-token",
  "manifests.json",
  "manifests.json.new",
  "service.json",
  "service.json.new",
  "secret.key",
];

/** Longer names stand in the archive in a form that the tar library reads line by line. */
const mostOfBrokenName = 90;

/** Whether an archive can have a name: not one that is no UTF-8, nor a long one with a line break. */
export const canBeNamed = (name: string): boolean =>
  !name.includes("\ufffd") && !(name.includes("\n") && Buffer.byteLength(name) > mostOfBrokenName);

/** Whether something at the top of the data directory belongs into a backup. */
export const isKept = (name: string, store: readonly string[]): boolean =>
  !name.startsWith(stagePrefix) && !leftOut.includes(name) && !store.includes(name);
