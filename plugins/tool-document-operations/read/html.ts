import { decodeText } from "./decode-text.ts";
import type { ReadJob, Reading } from "./document-text.ts";
import { htmlToText } from "./html-to-text.ts";

const charsetIn = (bytes: Uint8Array): string | undefined =>
  /<(?:meta[^>]{1,200}charset=|\?xml[^>]{1,200}encoding=)["']?([\w-]{2,40})/i.exec(
    Buffer.from(bytes.subarray(0, 4096)).toString("latin1"),
  )?.[1];

export async function readHtml({ bytes, charset }: ReadJob): Promise<Reading> {
  const { text, title } = htmlToText(decodeText(bytes, charset ?? charsetIn(bytes)));
  return { text, facts: title === "" ? {} : { title } };
}
