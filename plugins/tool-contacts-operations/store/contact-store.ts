import type { StoredText, TextEdit } from "@pergola/kit-dav";

/** A folder of vCard files, or a CardDAV account. A stored text holds one card or several. */
export interface ContactStore {
  texts(): Promise<readonly StoredText[]>;
  /** Adds a card. */
  add(uid: string, card: string): Promise<void>;
  /** Edits a text. Throws ToolError `conflict` if another program changed it since it was read. */
  change(stored: StoredText, edit: TextEdit): Promise<void>;
}
