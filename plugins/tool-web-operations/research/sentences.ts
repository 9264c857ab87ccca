const longestText = 60_000;
const mostSentences = 300;
const lengths = { least: 40, most: 500 } as const;

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** A full stop after these ends no sentence. */
const abbreviated = /(^|[\s(])(dr|mr|mrs|ms|prof|st|no|fig|vs|approx|ca|cf|e\.g|i\.e|[a-z])\.\s*$/i;

/** The sentences of one line. */
function* split(line: string): Generator<string> {
  let sentence = "";
  for (const { segment } of segmenter.segment(line)) {
    sentence += segment;
    if (abbreviated.test(sentence.slice(-10))) continue;
    yield sentence.trim();
    sentence = "";
  }
  if (sentence !== "") yield sentence.trim();
}

/** Markdown without its marks: links and emphasis are only their words. */
const unmarked = (line: string): string =>
  line
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, "$1")
    .replace(/^[\s>#*+-]+|^\s*\d+\.\s+/, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Lines that are prose: no headings, tables and code. */
function* prose(text: string): Generator<string> {
  let inCode = false;
  for (const line of text.slice(0, longestText).split("\n")) {
    if (line.startsWith("```")) inCode = !inCode;
    else if (!inCode && !/^(#|\s{4}|\|)| \| /.test(line)) yield unmarked(line);
  }
}

/**
 * The sentences of a text that say something by themselves: 40 to 500 characters long, each once; the first
 * 300.
 */
export function sentencesOf(text: string): readonly string[] {
  const sentences = new Set<string>();
  for (const line of prose(text)) {
    for (const sentence of split(line)) {
      if (sentence.length >= lengths.least && sentence.length <= lengths.most && !sentence.endsWith("?"))
        sentences.add(sentence);
      if (sentences.size === mostSentences) return [...sentences];
    }
  }
  return [...sentences];
}
