/** The text without accents and in lower case, for comparison. */
export const normalizeForSearch = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Makes a test for texts that contain every word of the query, in any order, case and accent. */
export function matchWords(query: string): (texts: readonly string[]) => boolean {
  const words = normalizeForSearch(query).split(/\s+/).filter(Boolean);
  return (texts) => {
    const text = normalizeForSearch(texts.join("\n"));
    return words.every((word) => text.includes(word));
  };
}
