import type { Conversation } from "./conversation.ts";

/** The formats of an export. */
export type ExportFormat = "json" | "markdown";

/** A conversation as a file, read piece by piece. */
export interface ExportedFile {
  readonly name: string;
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
}

/** Options of `TransferService.import`. */
export interface ImportOptions {
  /**
   * What becomes of a package whose conversation is here already: it gets a new id, takes that one's place,
   * or is refused. Without such a conversation it keeps its id.
   */
  readonly onConflict: "new_id" | "replace" | "fail";
}

/** The result of an import. */
export interface ImportResult {
  readonly conversation: Conversation;
  readonly messages: number;
  readonly memories: number;
  /** What was left out or changed on the way, one sentence each. */
  readonly warnings: readonly string[];
}

/** Conversations with all that belongs to them, out of the service and back in. */
export interface TransferService {
  /** Secrets are redacted. Rejects with `not_found`. */
  export(idOrAlias: string, format: ExportFormat): Promise<ExportedFile>;
  /**
   * All of a JSON package or nothing. Grants, secrets and paths are never taken over. Rejects with
   * `invalid_value` naming what is wrong with the package, `id_taken`, or as the storage fails.
   */
  import(pack: unknown, options: ImportOptions): Promise<ImportResult>;
}
