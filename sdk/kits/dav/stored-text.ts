import type { Awaitable } from "@pergola/sdk";

/** A calendar or card text where it is stored: in a file, or in an object of an account. */
export interface StoredText {
  /** The path of the file, or the URL of the object. */
  readonly place: string;
  readonly text: string;
  /** The object's ETag. Files have none. */
  readonly version?: string | undefined;
}

/** Makes the new text from the current one. May throw ToolError. */
export type TextEdit = (text: string) => Awaitable<string>;
