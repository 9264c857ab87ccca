import { openPdf, pdfFacts as metadataOf, pdfItems, type Pdf } from "@pergola/kit-file-facts";
import { mostText, type FactsReader } from "./facts.ts";

const mostBytes = 32 << 20;
const mostPages = 500;

async function textOf(pdf: Pdf): Promise<string> {
  const pages = Math.min(pdf.numPages, mostPages);
  let text = "";
  for (let page = 1; page <= pages && text.length < mostText; page += 1) {
    const items = await pdfItems(await pdf.getPage(page));
    text += items.map((item) => item.text).join(" ") + "\n";
  }
  return text;
}

/**
 * Title, author, pages and words of a PDF of at most 32 MiB; encrypted ones as far as they open without a
 * password.
 */
export const pdfFacts: FactsReader = async (file, wantsText) => {
  if (file.size > mostBytes) return { facts: {} };
  const pdf = await openPdf(file.head(mostBytes));
  try {
    const facts = { ...(await metadataOf(pdf)) };
    if (!wantsText) return { facts };
    return { facts, text: await textOf(pdf) };
  } finally {
    await pdf.destroy();
  }
};
