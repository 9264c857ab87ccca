/** Where secrets lie: the system's key store, or an encrypted file in the data directory. */
export type SecretPlace = "keyring" | "file";

/** Keys and passwords that the person has put away under names, for settings to refer to. */
export interface SecretKeeper {
  /**
   * Undefined where nothing is kept under the name. Rejects with AppError `storage_unavailable`, which names
   * the secret and never shows it, for an entry that was changed, moved, or belongs to another installation.
   */
  get(name: string): Promise<string | undefined>;
  /** Where it was put. Rejects with AppError `invalid_value` or `storage_unavailable`. */
  set(name: string, value: string): Promise<SecretPlace>;
  /** False when there was none. */
  delete(name: string): Promise<boolean>;
  /** Every name, sorted, and where its secret lies. */
  list(): Promise<readonly { readonly name: string; readonly place: SecretPlace }[]>;
}

/** What the part that keeps secrets needs: it is made before settings are whole and the store is open. */
export interface SecretHost {
  readonly dataDirectory: string;
  /** Outside the data directory, so that a backup of the data alone opens nothing. */
  readonly configurationDirectory: string;
  /** Where systemd hands over credentials; a file `secret.key` in it is the key. */
  readonly credentialsDirectory: string | undefined;
  /** `auto`: the system's key store where it works. */
  readonly store: SecretPlace | "auto";
}
