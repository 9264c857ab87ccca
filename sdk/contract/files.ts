import type { FileInfo } from "./context.ts";
import type { Page, PageRange } from "./page.ts";
import type { Caller } from "./run.ts";

/** An entry of a folder of a conversation's working directory. */
export interface FolderEntry extends Pick<FileInfo, "name" | "kind" | "size"> {
  /** Relative to the working directory. */
  readonly path: string;
  /** ISO 8601 in UTC. */
  readonly modified: string;
  /** null for what is no file. */
  readonly mimeType: string | null;
}

/** A folder of the working directory, in name order. */
export interface FolderPage extends Page<FolderEntry> {
  readonly workingDirectory: string;
  /** Relative to it; empty for itself. */
  readonly path: string;
}

/** A file as it is sent: `pieces` gives its bytes, at most 256 KiB at once, `size` in all. */
export interface SentFile {
  readonly name: string;
  readonly size: number;
  readonly mimeType: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A file as it comes. */
export interface ReceivedFile {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Bytes that are announced; undefined where nobody says. */
  readonly announced: number | undefined;
  readonly overwrite: boolean;
}

/** A file that was written. */
export interface WrittenFile extends Pick<FolderEntry, "path" | "size"> {
  readonly sha256: string;
  readonly mimeType: string;
  /** Its change is listed, and taken back, under this id. */
  readonly callId: string;
}

/**
 * Files in the working directories of conversations. Paths are relative to these, and lead out of them in no
 * way: not by `..`, nor by a link. What nobody may see without being asked is not there.
 */
export interface FileService {
  /** Rejects with `not_found` or `invalid_value`. */
  list(
    conversationId: string,
    of: PageRange & { readonly path: string },
    caller: Caller,
  ): Promise<FolderPage>;
  /** Rejects with `not_found` or `invalid_value`. */
  read(conversationId: string, path: string, caller: Caller): Promise<SentFile>;
  /**
   * Writes a file when all of it has come; until then nothing is seen of it. Rejects with `not_found`,
   * `invalid_value`, `request_too_large`, or `id_taken` where something is there that must not be replaced.
   */
  write(conversationId: string, path: string, file: ReceivedFile, caller: Caller): Promise<WrittenFile>;
}
