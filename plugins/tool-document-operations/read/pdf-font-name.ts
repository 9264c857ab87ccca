import type { PdfPage } from "@pergola/kit-file-facts";
import { addCount, mostFrequent } from "./most-frequent.ts";

interface LoadedFonts {
  has(id: string): boolean;
  get(id: string): { readonly name?: string } | null;
}

/** The name of a font that a page's drawing program has loaded, by the id that its text items use. */
async function loadedName(page: PdfPage, id: string): Promise<string | undefined> {
  await page.getOperatorList();
  const fonts = page.commonObjs as LoadedFonts;
  if (!fonts.has(id)) return undefined;
  return fonts.get(id)?.name;
}

/**
 * The family that most of a page's text is set in; undefined when the page does not tell.
 * `ABCDEF+DejaVuSans-Bold` is a part of DejaVuSans-Bold, which belongs to DejaVuSans.
 */
export async function fontName(page: PdfPage): Promise<string | undefined> {
  const { items } = await page.getTextContent();
  const characters = new Map<string, number>();
  for (const item of items) if ("str" in item) addCount(characters, item.fontName, item.str.length);
  const id = mostFrequent(characters);
  if (id === undefined) return undefined;
  const name = await loadedName(page, id).catch(() => undefined);
  return name?.replace(/^[A-Z]{6}\+/, "").replace(/[-,](Bold|Italic|Oblique|Regular|Roman|MT)+$/i, "");
}
