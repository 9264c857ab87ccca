import { declaredCharset, decodeText as decode } from "@pergola/kit-file-facts";

/**
 * The text of an answer: its encoding is what the byte order mark says, else the content type, else the
 * document, else UTF-8 if it is that, else windows-1252. A content type that says UTF-8 of what is not UTF-8
 * gives way to the document's own word.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const [, charset] = /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType) ?? [];
  return decode(bytes, charset, declaredCharset(bytes));
}
