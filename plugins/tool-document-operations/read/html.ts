import { defined } from "@pergola/sdk";
import { declaredCharset, decodeText } from "@pergola/kit-file-facts";
import type { ReadJob, Reading } from "./document-text.ts";
import { htmlToText } from "./html-to-text.ts";

export async function readHtml({ bytes, charset }: ReadJob): Promise<Reading> {
  const { text, title } = htmlToText(decodeText(bytes, charset, declaredCharset(bytes)));
  return { text, facts: defined({ title: title || undefined }) };
}
