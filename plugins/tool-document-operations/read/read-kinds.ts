import { requireExtra } from "@pergola/kit-extras";
import { invalidValue } from "../invalid-value.ts";
import type { TextKind } from "../source/document-kinds.ts";
import type { DocumentText, ReadJob, Reading } from "./document-text.ts";

type Reader = (job: ReadJob) => Promise<Reading>;

const office: Reader = async (job) => {
  requireExtra("documents", import.meta.url);
  return (await import("./office.ts")).readOffice(job);
};
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
  const reading = await readers[job.kind](job).catch((error: unknown) => {
    if (error instanceof RangeError)
      throw invalidValue("The document is nested too deeply.", "Ask for another copy.");
    throw error;
  });
  const text = reading.text.replaceAll(unwanted, "");
  return {
    kind: job.kind,
    style: {},
    facts: {},
    notes: [],
    ...reading,
    text,
  };
}
