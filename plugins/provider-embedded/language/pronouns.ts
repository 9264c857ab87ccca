const flips: Readonly<Record<string, string>> = {
  "i am": "you are",
  "i'm": "you are",
  "i was": "you were",
  "i've": "you have",
  "i'd": "you would",
  "i'll": "you will",
  i: "you",
  me: "you",
  my: "your",
  mine: "yours",
  myself: "yourself",
  "we are": "you are",
  "we're": "you are",
  we: "you",
  us: "you",
  our: "your",
  ours: "yours",
  "you are": "I am",
  "you're": "I am",
  you: "I",
  your: "my",
  yours: "mine",
  yourself: "myself",
};

const pattern = new RegExp(`\\b(?:${Object.keys(flips).join("|")})\\b`, "gi");

/** The sentence as the other person would say it: `my name is Ada` becomes `your name is Ada`. */
export const flipped = (sentence: string): string =>
  sentence.replaceAll(pattern, (found) => flips[found.toLowerCase()] ?? found);

/** With a capital at the start and a full stop at the end, unless it is a question. */
export function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[\s.!]+$/, "");
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${trimmed.endsWith("?") ? "" : "."}`;
}
