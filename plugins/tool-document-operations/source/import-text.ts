import { imageFacts } from "@pergola/kit-file-facts";
import type { ToolContext } from "@pergola/sdk";
import { documentThreads } from "../document-thread.ts";
import { invalidValue } from "../invalid-value.ts";
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
  const imported = await readText(source, context);
  if (imported.text.trim() !== "") return imported;
  throw invalidValue(
    `${source.filename} holds no text.`,
    noText[imported.kind] ?? "There is nothing to import.",
  );
}

async function readText(source: Source, context: ToolContext): Promise<ImportedText> {
  const kind = detectKind(source);
  const { bytes, charset } = source;
  if (kind === "image") return imageText(bytes, context);
  return parsedText({ kind, bytes, charset }, context);
}

async function imageText(bytes: Uint8Array, context: ToolContext): Promise<ImportedText> {
  const text = await recognizeText(bytes, context);
  const { mediaType = "image/*" } = (await imageFacts(bytes)) ?? {};
  return {
    text,
    kind: "image",
    contentType: mediaType,
    style: {},
    facts: {},
    notes: [],
  };
}

async function parsedText(job: ReadJob, context: ToolContext): Promise<ImportedText> {
  context.progress(`Reading the ${kindFacts[job.kind].description}`);
  const read = await documentThreads.run("read", job, { signal: context.signal });
  return { ...read, contentType: kindFacts[read.kind].contentType };
}
