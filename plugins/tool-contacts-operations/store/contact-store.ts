import type { Awaitable } from "@pergola/sdk";

/** A vCard text: one card or several. */
export interface CardText {
  /** The path of the file, or the address. */
  readonly place: string;
  readonly text: string;
  /** The version of the text at its place, where the place tells one. */
  readonly version?: string | undefined;
}

/** Where contacts are kept. */
export interface ContactStore {
  texts(): Promise<readonly CardText[]>;
  /** Adds a card. */
  add(uid: string, card: string): Promise<void>;
  /**
   * Applies the edit to the text as it is now. Throws ToolError `conflict` when that can not be done safely.
   */
  change(text: CardText, edit: (text: string) => Awaitable<string>): Promise<void>;
}
