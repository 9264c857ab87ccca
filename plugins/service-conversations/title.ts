import { stringOf } from "@pergola/sdk";

const filler =
  /^(please|can|could|would|will|you|hi|hello|hey|i|want|need|like|to|me|help|with|the|a|an|my|just|kindly|us|let|lets|let's)$/i;

/** A title from the first user message: without filler words, at most 50 characters, cut at a word. */
export function titleFrom(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim().split(" ");
  const start = words.findIndex((word) => !filler.test(word.replaceAll(/[,.!?]+$/g, "")));
  let title = "";
  for (const word of words.slice(Math.max(0, start))) {
    if (title !== "" && title.length + word.length + 1 > 50) break;
    title = `${title} ${word}`.trim().slice(0, 50);
  }
  return title.replace(/^./, (letter) => letter.toUpperCase());
}

/** The title in a model's marker, `{"title":"…"}`; undefined unless it has 3–80 characters. */
export function titleOf(marker: string): string | undefined {
  try {
    const { title } = JSON.parse(marker) as { readonly title?: unknown };
    const text = stringOf(title).trim();
    if (text.length >= 3 && text.length <= 80) return text;
    return undefined;
  } catch {
    return undefined;
  }
}
