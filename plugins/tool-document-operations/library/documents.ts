import { createHash } from "node:crypto";
import type { Collection, ToolContext } from "@pergola/sdk";

/** An imported document, and where its text is remembered. */
export interface StoredDocument {
  readonly id: string;
  readonly scope: string;
  readonly filename: string;
  readonly source_url: string | null;
  readonly content_type: string;
  /** Bytes. */
  readonly file_size: number;
  /** Code points. */
  readonly full_content_length: number;
  /** ISO 8601 in UTC. */
  readonly import_date: string;
  readonly tags: readonly string[];
  /** All its text is in memory. */
  readonly memory_stored: boolean;
  readonly memory_ids: readonly string[];
}

export const documentsOf = (context: ToolContext): Collection<StoredDocument> =>
  context.collection<StoredDocument>("documents");

/** The same content under the same name is the same document of a scope. */
export function documentId(scope: string, name: string, bytes: Uint8Array): string {
  const hash = createHash("sha256").update(`${scope}\0${name}\0`).update(bytes).digest("hex");
  return `doc_${hash.slice(0, 24)}`;
}

/** A document of the call's scope. */
export async function documentOf(id: string, context: ToolContext): Promise<StoredDocument | undefined> {
  const found = await documentsOf(context).get(id);
  if (found?.scope === context.scope) return found;
  return undefined;
}
