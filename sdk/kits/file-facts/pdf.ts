import { defined, isObject, stringOf } from "@pergola/sdk";

/** A piece of text that a page draws. */
export interface PdfTextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  /** The name of its font in the page's drawing program. */
  readonly fontName: string;
  /** Six numbers (ISO 32000-1, 8.3.3). */
  readonly transform: readonly number[];
}

/** A page, as far as its readers need it; the library's own types stay inside. */
export interface PdfPage {
  /** Left, bottom, right and top in points. */
  readonly view: readonly number[];
  /** The fonts that the page has loaded, after `getOperatorList`. */
  readonly commonObjs: { has(id: string): boolean; get(id: string): unknown };
  /** Items without `str` are marks in the text's structure. */
  getTextContent(): Promise<{ readonly items: readonly (PdfTextItem | { readonly type: string })[] }>;
  getOperatorList(): Promise<unknown>;
  cleanup(): void;
}

/** An open PDF. */
export interface Pdf {
  readonly numPages: number;
  /** `number` counts from 1. */
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ readonly info: unknown }>;
  destroy(): Promise<void>;
}

export interface PdfFacts {
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: string;
  readonly creator?: string;
  readonly created?: Date;
  readonly pages: number;
}

/**
 * Opens a PDF; whoever opens it calls `destroy`. Large or hostile files take long, so do this in a worker.
 * Rejects with the library's `PasswordException`, `InvalidPDFException` or another error of its own.
 */
export async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const { getDocumentProxy } = await import("unpdf");
  // The library keeps the bytes, and takes no Buffer.
  return getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
}

/** PDF writes dates as `D:20240501123000+02'00'` (ISO 32000-1, 7.9.4); all but the year may be missing. */
const dateForm =
  /^(?:D:)?(?<year>\d{4})(?<month>\d\d)?(?<day>\d\d)?(?<hour>\d\d)?(?<minute>\d\d)?(?<second>\d\d)?(?:(?<sign>[+-])(?<zoneHour>\d\d)'?(?<zoneMinute>\d\d)?)?/;

/** Undefined for what is no date. */
export function pdfDate(text: unknown): Date | undefined {
  const groups = dateForm.exec(String(text))?.groups;
  if (groups === undefined) return undefined;
  const { year, month = "01", day = "01", hour = "00", minute = "00", second = "00" } = groups;
  const { sign = "+", zoneHour = "00", zoneMinute = "00" } = groups;
  const zone = `${sign}${zoneHour}:${zoneMinute}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(date.getTime())) return undefined;
  return date;
}

const textIn = (value: unknown): string | undefined => stringOf(value).trim() || undefined;

/** What a PDF says of itself. Damaged metadata count as none. */
export async function pdfFacts(pdf: Pdf): Promise<PdfFacts> {
  const metadata = await pdf.getMetadata().catch(() => undefined);
  const info = isObject(metadata?.info) ? metadata.info : {};
  return defined({
    title: textIn(info["Title"]),
    author: textIn(info["Author"]),
    subject: textIn(info["Subject"]),
    keywords: textIn(info["Keywords"]),
    creator: textIn(info["Creator"]),
    created: pdfDate(info["CreationDate"]),
    pages: pdf.numPages,
  });
}

/** A piece of a page's text, as the page draws it. */
export interface PdfItem {
  readonly text: string;
  /** In points. */
  readonly fontSize: number;
}

/** The pieces of a page's text in the order of the file; lines end with LF. What is a picture has none. */
export async function pdfItems(page: PdfPage): Promise<readonly PdfItem[]> {
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.flatMap((item) => {
    if (!("str" in item)) return [];
    const [, , skew = 0, scale = 0] = item.transform;
    return [{ text: item.str + (item.hasEOL ? "\n" : ""), fontSize: Math.hypot(skew, scale) }];
  });
}
