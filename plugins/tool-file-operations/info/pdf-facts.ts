import { promisify } from "node:util";
import { inflate } from "node:zlib";

export interface PdfFacts {
  readonly version: string | undefined;
  readonly pages: number | undefined;
  readonly encrypted: boolean;
}

const largestStream = 4 << 20;
const mostStreams = 500;
const mostNodes = 5000;
const nodeSpan = 1 << 14;
const inflateAsync = promisify(inflate);

/**
 * Version and page count of a PDF from its page tree: `/Type /Pages` with the largest `/Count`. Newer files
 * keep the tree in compressed object streams, which are opened, up to 4 MiB each. What is encrypted or broken
 * is left undefined.
 */
export async function pdfFacts(bytes: Uint8Array): Promise<PdfFacts> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const version = /^%PDF-(\d\.\d)/.exec(text.slice(0, 20))?.[1];
  const encrypted = text.includes("/Encrypt");
  const pages = pageCount(text) || (encrypted ? 0 : await compressedPageCount(text, bytes));
  return { version, pages: pages || undefined, encrypted };
}

function pageCount(text: string): number {
  let [pages, nodes] = [0, 0];
  for (let at = text.indexOf("/Pages"); at >= 0 && nodes < mostNodes; at = text.indexOf("/Pages", at + 1)) {
    if (!/\/Type\s*$/.test(text.slice(Math.max(0, at - 20), at))) continue;
    nodes += 1;
    pages = Math.max(pages, Number(/\/Count\s+(\d{1,7})/.exec(nodeAround(text, at))?.[1] ?? 0));
  }
  return pages;
}

/**
 * The dictionary that a position lies in, roughly: from the `<<` before it to the end of the object or the
 * next node.
 */
function nodeAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - nodeSpan), at);
  const after = text.slice(at, at + nodeSpan);
  const next = after.slice(1).search(/endobj|\/Type\s{0,9}\/Page/);
  return before.slice(before.lastIndexOf("<<") + 1) + (next < 0 ? after : after.slice(0, next));
}

async function compressedPageCount(text: string, bytes: Uint8Array): Promise<number> {
  let [pages, streams] = [0, 0];
  for (
    let at = text.indexOf("/ObjStm");
    at >= 0 && streams < mostStreams;
    at = text.indexOf("/ObjStm", at + 1)
  ) {
    const keyword = text.indexOf("stream", at);
    const start = keyword + "stream".length + (text[keyword + 6] === "\r" ? 2 : 1);
    const end = text.indexOf("endstream", start);
    if (keyword < 0 || end < 0) break;
    streams += 1;
    const opened = await inflateAsync(bytes.subarray(start, end), { maxOutputLength: largestStream }).catch(
      () => undefined,
    );
    pages = Math.max(pages, pageCount(opened?.toString("latin1") ?? ""));
  }
  return pages;
}
