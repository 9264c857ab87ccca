import type { MemoryDraft, ToolContext } from "@pergola/sdk";
import { chunkText } from "./chunk-text.ts";
import { documentsOf, type StoredDocument } from "./documents.ts";

/** UTF-16 units of a document that are remembered: above, embedding them would take many minutes. */
export const mostRemembered = 2_000_000;
const batch = 32;

/**
 * Removes a document's text from memory, but for what another document of the scope holds in the same words.
 */
export async function forget({ id, scope, memory_ids }: StoredDocument, context: ToolContext): Promise<void> {
  const others = (await documentsOf(context).find({ scope })).filter((one) => one.id !== id);
  const shared = new Set(others.flatMap((one) => one.memory_ids));
  for (const memoryId of memory_ids) if (!shared.has(memoryId)) await context.memory?.delete(memoryId);
}

/**
 * Keeps a document's record and, where there is memory, its text in chunks of origin `import`. What an
 * earlier import of it left is replaced. The record knows at every moment which memories are its own, so that
 * a cancelled import can be deleted or repeated.
 */
export async function remember(
  document: StoredDocument,
  text: string,
  context: ToolContext,
): Promise<StoredDocument> {
  const { memory, signal } = context;
  const documents = documentsOf(context);
  // Where memory may only be read this is refused, before anything is kept.
  await memory?.store([]);
  const before = await documents.get(document.id);
  if (before !== undefined) await forget(before, context);
  await documents.put(document);
  if (memory === undefined) return document;
  const drafts = draftsOf(document, text.slice(0, mostRemembered));
  const ids = new Set<string>();
  for (let at = 0; at < drafts.length; at += batch) {
    signal.throwIfAborted();
    context.progress(`Remembering ${document.filename}: ${at} of ${drafts.length} chunks`);
    for (const { item } of await memory.store(drafts.slice(at, at + batch))) ids.add(item.id);
    await documents.put({ ...document, memory_ids: [...ids] });
  }
  const whole = {
    ...document,
    memory_ids: [...ids],
    memory_stored: text.length <= mostRemembered,
  };
  await documents.put(whole);
  return whole;
}

function draftsOf({ id, filename, source_url, tags }: StoredDocument, text: string): readonly MemoryDraft[] {
  const chunks = chunkText(text);
  return chunks.map((content, index) => ({
    content,
    origin: "import",
    contentType: "document",
    tags,
    context: filename,
    metadata: {
      document_id: id,
      filename,
      source_url,
      chunk: index + 1,
      chunks: chunks.length,
    },
  }));
}
