import { ToolError, type ToolContext } from "@pergola/sdk";
import type { DocumentText } from "../read/document-text.ts";
import { documentThreads } from "../document-thread.ts";
import type { ReadJob } from "../read/document-text.ts";
import { detectKind } from "./detect-kind.ts";
import { kindFacts, type DocumentKind } from "./document-kinds.ts";
import type { Source } from "./load-source.ts";
import { recognizeText } from "./recognize-text.ts";

export interface ImportedText extends Omit<DocumentText, "kind"> {
  readonly kind: DocumentKind;
  readonly contentType: string;
}

const imageTypes: readonly (readonly [start: string, type: string])[] = [
  ["\x89PNG", "image/png"],
  ["\xff\xd8", "image/jpeg"],
  ["GIF8", "image/gif"],
  ["BM", "image/bmp"],
  ["RIFF", "image/webp"],
];

const imageType = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  return imageTypes.find(([start]) => head.startsWith(start))?.[1] ?? "image/tiff";
};

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
  return { text, kind: "image", contentType: imageType(bytes), style: {}, facts: {}, notes: [] };
}

async function parsedText(job: ReadJob, context: ToolContext): Promise<ImportedText> {
  context.progress(`Reading the ${kindFacts[job.kind].description}`);
  const read = await documentThreads.run("read", job, { signal: context.signal });
  return { ...read, contentType: kindFacts[read.kind].contentType };
}
