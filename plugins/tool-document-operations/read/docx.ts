import mammoth from "mammoth";
import type { Reading } from "./document-text.ts";
import { docxStyle } from "./docx-style.ts";
import { htmlToText } from "./html-to-text.ts";
import type { OfficePackage } from "./office-package.ts";

/** Pictures are left out, and no file or address that the document names is opened. */
const options = {
  styleMap: [
    "p[style-name='Code'] => pre:separator('\n')",
    "p[style-name='Quote'] => blockquote > p:fresh",
    "p[style-name='Title'] => h1:fresh",
  ],
  convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
  includeEmbeddedStyleMap: false,
  externalFileAccess: false,
};

export async function readDocx(parts: OfficePackage): Promise<Reading> {
  const { value } = await mammoth.convertToHtml({ buffer: parts.repacked() }, options);
  return { text: htmlToText(value).text, style: docxStyle(parts) };
}
