import { ToolError } from "@pergola/sdk";
import type { TextKind } from "../source/document-kinds.ts";
import type { DocumentText, ReadJob, Reading } from "./document-text.ts";

type Reader = (job: ReadJob) => Promise<Reading>;

const office: Reader = async (job) => (await import("./office.ts")).readOffice(job);
const plain: Reader = async (job) => (await import("./plain.ts")).readPlain(job);

const readers: Readonly<Record<TextKind, Reader>> = {
  pdf: async (job) => (await import("./pdf.ts")).readPdf(job),
  office,
  docx: office,
  xlsx: office,
  pptx: office,
  rtf: async (job) => (await import("./rtf.ts")).readRtf(job),
  html: async (job) => (await import("./html.ts")).readHtml(job),
  markdown: plain,
  csv: plain,
  json: plain,
  text: plain,
};

/**
 * Characters that nothing shows and that no store likes: controls but for tab and line feed, and halves of
 * surrogate pairs.
 */
const unwanted = /(?![\t\n\r\x80-\x9f])\p{Cc}|\p{Cs}/gu;

/** Reads in the library's own way. */
export async function readKinds(job: ReadJob): Promise<DocumentText> {
  const {
    text,
    kind = job.kind,
    style = {},
    facts = {},
    notes = [],
  } = await readers[job.kind](job).catch((error: unknown) => {
    if (error instanceof RangeError)
      throw new ToolError("invalid_value", "The document is nested too deeply.", {
        hint: "Ask for another copy.",
      });
    throw error;
  });
  return { text: text.replaceAll(unwanted, ""), kind, style, facts, notes };
}
