import { defineOperation, toolDisplay, type ToolContext } from "@pergola/sdk";
import { documentId, type StoredDocument } from "../library/documents.ts";
import { documentTurns } from "../library/document-turns.ts";
import { mostRemembered, remember } from "../library/remember.ts";
import { path } from "../parameters.ts";
import { importText, type ImportedText } from "../source/import-text.ts";
import { loadSource, type Source } from "../source/load-source.ts";

/** Code points of the preview. */
const previewLength = 3000;

function recordOf(
  { bytes, filename, url }: Source,
  { text, contentType }: ImportedText,
  tags: readonly string[],
  context: ToolContext,
): StoredDocument {
  return {
    id: documentId(context.scope, url ?? filename, bytes),
    scope: context.scope,
    filename,
    source_url: url,
    content_type: contentType,
    file_size: bytes.length,
    full_content_length: [...text].length,
    import_date: new Date(context.clock.now()).toISOString(),
    tags,
    memory_stored: false,
    memory_ids: [],
  };
}

function whereTextIs({ memory_stored }: StoredDocument, text: string, { memory }: ToolContext): string {
  if (memory_stored) return "Its text is in memory: find passages with memory_operations.search_memory.";
  if (memory === undefined) return "Nothing keeps memory here, so only the preview can be read.";
  return (
    `The first ${mostRemembered} of its ${text.length} characters are in ` +
    "memory: find passages with memory_operations.search_memory."
  );
}

export const documentImport = defineOperation({
  name: "document_import",
  description: "Read a document or image, from a file or URL, into memory and show how it begins.",
  effect: "read",
  parameters: {
    path: { ...path("filePath", "url"), format: "path-or-uri" },
    tags: {
      type: "array",
      items: { type: "string" },
      default: [],
    },
  },
  required: ["path"],
  display: (args) => toolDisplay("Import document", args.path, "file-text"),
  examples: [
    { say: "import the document report.pdf", arguments: { path: "report.pdf" } },
    { say: "read contract.docx into memory", arguments: { path: "contract.docx" } },
    { say: "import https://example.com/paper.pdf", arguments: { path: "https://example.com/paper.pdf" } },
    { say: "load the spreadsheet budget.xlsx", arguments: { path: "budget.xlsx" } },
    { say: "take invoice.pdf into memory", arguments: { path: "invoice.pdf" } },
    {
      say: "import the document at https://example.net/terms.docx",
      arguments: { path: "https://example.net/terms.docx" },
    },
    { say: "add policy.docx to your memory", arguments: { path: "policy.docx" } },
    { say: "load the document guide.pdf", arguments: { path: "guide.pdf" } },
    { say: "keep the pdf statute.pdf in memory", arguments: { path: "statute.pdf" } },
  ],
  async run({ path: place, tags }, context) {
    const source = await loadSource(place, context);
    const imported = await importText(source, context);
    const { text, style, notes } = imported;
    const record = recordOf(source, imported, tags, context);
    const stored = await documentTurns.run(record.id, () => remember(record, text, context));
    const preview = [...text].slice(0, previewLength);
    const { id, scope: _scope, tags: _tags, memory_ids: _ids, ...facts } = stored;
    return {
      data: {
        document_id: id,
        ...facts,
        preview_length: preview.length,
        content_preview: preview.join(""),
        style,
      },
      message: [`Imported ${source.filename}.`, ...notes, whereTextIs(stored, text, context)].join(" "),
    };
  },
});
