import type { PdfPage } from "@pergola/kit-file-facts";

interface LoadedFont {
  readonly name?: string;
}

/** `ABCDEF+DejaVuSans-Bold` is a part of DejaVuSans-Bold, which belongs to DejaVuSans. */
const family = (name: string): string =>
  name.replace(/^[A-Z]{6}\+/, "").replace(/[-,](Bold|Italic|Oblique|Regular|Roman|MT)+$/i, "");

/** The fonts that a page's drawing program has loaded, by the names that its text items use. */
async function loadedFonts(page: PdfPage): Promise<(id: string) => LoadedFont | undefined> {
  await page.getOperatorList();
  const fonts = page.commonObjs as { has(id: string): boolean; get(id: string): LoadedFont | null };
  return (id) => (fonts.has(id) && fonts.get(id)) || undefined;
}

/** The family that most of a page's text is set in; undefined when the page does not tell. */
export async function fontName(page: PdfPage): Promise<string | undefined> {
  const { items } = await page.getTextContent();
  const characters = new Map<string, number>();
  for (const item of items)
    if ("str" in item) characters.set(item.fontName, (characters.get(item.fontName) ?? 0) + item.str.length);
  const [most] = [...characters].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (most === undefined) return undefined;
  const fontOf = await loadedFonts(page).catch(() => () => undefined);
  const name = fontOf(most)?.name;
  return name === undefined ? undefined : family(name);
}
