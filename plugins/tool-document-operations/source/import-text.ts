import { imageFacts } from "@pergola/kit-file-facts";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { documentThreads } from "../document-thread.ts";
import type { DocumentText, ReadJob } from "../read/document-text.ts";
import { detectKind } from "./detect-kind.ts";
import { kindFacts, type DocumentKind } from "./document-kinds.ts";
import type { Source } from "./load-source.ts";
import { recognizeText } from "./recognize-text.ts";

export interface ImportedText extends Omit<DocumentText, "kind"> {
  readonly kind: DocumentKind;
  readonly contentType: string;
}

const noText: Readonly<Partial<Record<DocumentKind, string>>> = {
  pdf: "Its pages are probably pictures. Save them as images and import those.",
  image: "No text was recognised in it.",
};

/**
 * A document's text, read in a thread, or by text recognition for images. Throws ToolError `invalid_value`
 * when there is none.
 */
export async function importText(source: Source, context: ToolContext): Promise<ImportedText> {
  const { bytes, charset, filename } = source;
  const kind = detectKind(bytes, source);
  const imported =
    kind === "image" ? await imageText(bytes, context) : await parsedText({ kind, bytes, charset }, context);
  if (imported.text.trim() !== "") return imported;
  throw new ToolError("invalid_value", `${filename} holds no text.`, {
    hint: noText[imported.kind] ?? "There is nothing to import.",
  });
}

async function imageText(bytes: Uint8Array, context: ToolContext): Promise<ImportedText> {
  const text = await recognizeText(bytes, context);
  const { mediaType = "image/*" } = (await imageFacts(bytes)) ?? {};
  return { text, kind: "image", contentType: mediaType, style: {}, facts: {}, notes: [] };
}

async function parsedText(job: ReadJob, context: ToolContext): Promise<ImportedText> {
  context.progress(`Reading the ${kindFacts[job.kind].description}`);
  const read = await documentThreads.run("read", job, { signal: context.signal });
  return { ...read, contentType: kindFacts[read.kind].contentType };
}
