import { getDocumentProxy } from "unpdf";
import { mostText, type FactsReader } from "./facts.ts";

const mostBytes = 32 << 20;
const mostPages = 500;

/** PDF writes dates as `D:20240501123000+02'00'` (ISO 32000-1, 7.9.4). */
function dateOf(text: unknown): Date | undefined {
  const [
    ,
    year,
    month = "01",
    day = "01",
    hour = "00",
    minute = "00",
    second = "00",
    sign,
    zoneHour = "00",
    zoneMinute = "00",
  ] = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?/.exec(String(text)) ?? [];
  if (year === undefined) return undefined;
  return new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? "Z" : `${sign}${zoneHour}:${zoneMinute}`}`,
  );
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Title, author, pages and words of a PDF of at most 32 MiB; encrypted ones as far as they open without a
 * password.
 */
export const pdfFacts: FactsReader = async (file, wantsText) => {
  if (file.size > mostBytes) return { facts: {} };
  const document = await getDocumentProxy(new Uint8Array(file.head(mostBytes)), {
    verbosity: 0,
    isEvalSupported: false,
  });
  try {
    const info = (await document.getMetadata()).info as Readonly<Record<string, unknown>>;
    const facts = {
      title: textIn(info["Title"]),
      author: textIn(info["Author"]),
      subject: textIn(info["Subject"]),
      keywords: textIn(info["Keywords"]),
      creator: textIn(info["Creator"]),
      created: dateOf(info["CreationDate"]),
      pages: document.numPages,
    };
    let text = "";
    for (
      let page = 1;
      wantsText && page <= Math.min(document.numPages, mostPages) && text.length < mostText;
      page += 1
    ) {
      const { items } = await (await document.getPage(page)).getTextContent();
      text +=
        items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(" ") + "\n";
    }
    return { facts, text };
  } finally {
    await document.destroy();
  }
};
