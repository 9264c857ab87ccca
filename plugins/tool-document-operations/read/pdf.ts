import { openPdf, pdfFacts, pdfItems, type Pdf, type PdfPage } from "@pergola/kit-file-facts";
import { defined } from "@pergola/sdk";
import { invalidValue } from "../invalid-value.ts";
import { styleFacts } from "../style/style.ts";
import type { ReadJob, Reading } from "./document-text.ts";
import { FontSizes } from "./font-sizes.ts";
import { fontName } from "./pdf-font-name.ts";

const mostPages = 10_000;

const failures: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  PasswordException: ["The PDF is protected by a password.", "Ask for a copy without a password."],
  InvalidPDFException: ["The PDF is damaged.", "Ask for another copy; a retry makes no sense."],
};
const anyFailure = ["The PDF cannot be opened.", "It is probably damaged. Ask for another copy."] as const;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await openPdf(bytes);
  } catch (error) {
    const [message, hint] = failures[(error as Error).name] ?? anyFailure;
    throw invalidValue(message, hint, error);
  }
}

/** A page's text; `sizes` counts the characters of each font size. */
async function pageText(page: PdfPage, sizes: FontSizes): Promise<string> {
  const items = await pdfItems(page);
  for (const { text, fontSize } of items) sizes.add(fontSize, text.trim().length);
  return items
    .map(({ text }) => text)
    .join("")
    .trim();
}

/** Text page by page, as far as the PDF holds text: what is only a picture of text is not read. */
export async function readPdf({ bytes }: ReadJob): Promise<Reading> {
  const pdf = await open(bytes);
  if (pdf.numPages > mostPages)
    throw invalidValue(`The PDF has ${pdf.numPages} pages.`, "Split it into smaller files.");
  const sizes = new FontSizes();
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1)
    texts.push(await pageText(await pdf.getPage(number), sizes));
  const first = await pdf.getPage(1);
  const { title, author, pages } = await pdfFacts(pdf);
  const [left = 0, bottom = 0, right = 0, top = 0] = first.view;
  const style = styleFacts({
    font_family: await fontName(first),
    ...sizes.facts(),
    page_width: right - left,
    page_height: top - bottom,
  });
  return {
    text: texts.filter((text) => text !== "").join("\n\n"),
    style,
    facts: defined({ title, author, page_count: pages }),
  };
}
