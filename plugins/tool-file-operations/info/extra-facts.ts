import { imageFacts } from "@pergola/kit-file-facts";
import type { FileInfo, Json, ToolContext } from "@pergola/sdk";
import { isBinary } from "../text/bytes.ts";
import { fileKind, type FileKind } from "./file-kinds.ts";
import { pdfReader } from "./pdf-reader.ts";
import { textFacts } from "./text-facts.ts";

const headBytes = 1 << 18;
const largestPdf = 64 << 20;
const largestText = 256 << 20;

type Facts = { readonly [name: string]: Json };
type Reader = (context: ToolContext, path: string, info: FileInfo, head: Uint8Array) => Promise<Facts>;

const image: Reader = async (_context, _path, _info, head): Promise<Facts> => {
  const found = await imageFacts(head);
  if (found === undefined) return {};
  return { image_format: found.format, image_width: found.width, image_height: found.height };
};

/** Undefined for a PDF that is damaged, or opens only with a password. */
async function pageCount({ signal }: ToolContext, bytes: Uint8Array): Promise<number | undefined> {
  const pages = await pdfReader.run("pages", bytes, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  return pages;
}

const pdf: Reader = async (context, path, { size }, head) => {
  const bytes = size > largestPdf ? head : await context.files.read(path);
  const header = Buffer.from(bytes.subarray(0, 20)).toString("latin1");
  return {
    pdf_version: /^%PDF-(\d\.\d)/.exec(header)?.[1] ?? null,
    page_count: (await pageCount(context, bytes)) ?? null,
    is_encrypted: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("/Encrypt"),
  };
};

const text: Reader = async (context, path, { size }): Promise<Facts> => {
  if (size > largestText) return {};
  return textFacts(context, path);
};

const readers: Readonly<Partial<Record<FileKind["type"], Reader>>> = { image, pdf, text };

/**
 * What a regular file is, and what its content tells: lines and characters of a text, pixels of an image,
 * pages of a PDF.
 */
export async function extraFacts(
  context: ToolContext,
  path: string,
  info: FileInfo,
): Promise<{ readonly kind: FileKind; readonly facts: Facts }> {
  const head = await context.files.read(path, { start: 0, end: headBytes });
  const kind = fileKind(info.name, isBinary(head));
  return { kind, facts: (await readers[kind.type]?.(context, path, info, head)) ?? {} };
}
