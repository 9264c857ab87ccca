import { ToolError } from "@pergola/sdk";
import { getDocumentProxy, getMeta } from "unpdf";
import type { DocumentFacts, ReadJob, Reading } from "./document-text.ts";
import { FontSizes } from "./font-sizes.ts";
import { fontName } from "./pdf-font-name.ts";
import { styleFacts } from "../style/style.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;

const mostPages = 10_000;

const failures: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  PasswordException: ["The PDF is protected by a password.", "Ask for a copy without a password."],
  InvalidPDFException: ["The PDF is damaged.", "Ask for another copy; a retry makes no sense."],
};

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, stopAtErrors: false });
  } catch (error) {
    const [message, hint] = failures[(error as Error).name] ?? [
      "The PDF cannot be opened.",
      "It is probably damaged. Ask for another copy.",
    ];
    throw new ToolError("invalid_value", message, { hint, cause: error });
  }
}

/** A page's text in the order of the file; `sizes` counts the characters of each font size. */
async function pageText(page: Page, sizes: FontSizes): Promise<string> {
  const { items } = await page.getTextContent();
  let text = "";
  for (const item of items) {
    if (!("str" in item)) continue;
    text += item.str + (item.hasEOL ? "\n" : "");
    const [, , skew = 0, scale = 0] = item.transform as readonly number[];
    sizes.add(Math.hypot(skew, scale), item.str.trim().length);
  }
  page.cleanup();
  return text.trim();
}

async function factsOf(pdf: Pdf): Promise<DocumentFacts> {
  const info: Readonly<Record<string, unknown>> = await getMeta(pdf).then(
    (meta) => meta.info,
    () => ({}),
  );
  const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
  const [title, author] = [text(info["Title"]), text(info["Author"])];
  return { ...(title !== "" && { title }), ...(author !== "" && { author }), page_count: pdf.numPages };
}

/** Text page by page, as far as the PDF holds text: what is only a picture of text is not read. */
export async function readPdf({ bytes }: ReadJob): Promise<Reading> {
  const pdf = await openPdf(bytes);
  if (pdf.numPages > mostPages)
    throw new ToolError("invalid_value", `The PDF has ${pdf.numPages} pages.`, {
      hint: "Split it into smaller files.",
    });
  const sizes = new FontSizes();
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1)
    texts.push(await pageText(await pdf.getPage(number), sizes));
  const [first, facts] = [await pdf.getPage(1), await factsOf(pdf)];
  const [left = 0, bottom = 0, right = 0, top = 0] = first.view as readonly number[];
  const size = { page_width: right - left, page_height: top - bottom };
  const style = styleFacts({ font_family: await fontName(first), ...sizes.facts(), ...size });
  return { text: texts.filter((text) => text !== "").join("\n\n"), style, facts };
}
