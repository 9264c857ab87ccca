/**
 * What is blanked out of texts, beside known secrets: nothing; keys and tokens; also personal data; also
 * addresses.
 */
export type RedactionLevel = "off" | "secrets" | "pii" | "strict";

/**
 * `find` is what is blanked out, but for what its first group matches; `begins` is an unfinished one at the
 * end of a text.
 */
interface Kind {
  readonly find: RegExp;
  readonly begins: RegExp;
  readonly counts?: (match: string) => boolean;
}

const blank = "[redacted]";

/** Shapes of keys and tokens that are nobody's words. */
const secrets: readonly Kind[] = [
  {
    find: /\b(?:sk-(?=[\w-]*\d)[\w-]{16,}|[spr]k_(?:live|test)_\w{16,}|gh[opsu]_\w{16,}|xox[abp]-[\w-]{10,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+)/g,
    begins:
      /\b(?:[spr]k?|[spr]k[-_][\w-]*|g|gh[opsu]?|gh[opsu]_\w*|xo?x?[abp]?|xox[abp]-[\w-]*|git?h?u?b?(?:_\w*)?|AK?I?|AKIA[0-9A-Z]*|AIza?|AIza[\w-]*|ey?|eyJ[\w-]*(?:\.[\w-]*){0,2})$/,
  },
  {
    find: /(\b(?:Bearer|Basic)\s+(?=\S*\d)|[?&](?:api[_-]?key|key|(?:access_)?token|secret|password|sig(?:nature)?)=)[\w+/.~%=-]{8,}/gi,
    begins:
      /(?:(?<=\b(?:Bearer|Basic)\s+)|(?<=[?&](?:api[_-]?key|key|(?:access_)?token|secret|password|sig(?:nature)?)=))[\w+/.~%=-]+$/i,
  },
];

/** ISO/IEC 7812-1, annex B: the check digit of card numbers. */
function isCard(match: string): boolean {
  const digits = match.replaceAll(/\D/g, "").split("").map(Number).toReversed();
  const weighed = digits.map((digit, index) => digit * (1 + (index % 2)));
  const sum = weighed.reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0);
  return sum % 10 === 0;
}

const personal: readonly Kind[] = [
  { find: /\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, begins: /\b[\w.+-]{1,64}(?:@[\w.-]*)?$/ },
  {
    find: /\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    begins: /\b[A-Z]{1,2}(?:\d{1,2}[A-Z0-9 ]{0,36})?$/,
  },
  { find: /\b\d(?:[ -]?\d){12,18}\b/g, begins: /\b\d(?:[ -]?\d){0,18}[ -]?$/, counts: isCard },
  {
    find: /(?<![\w.-])(?!\d{4}-\d\d-\d\d)(?:\+\d[\d ()./-]{6,18}\d|\(?\d{2,5}\)?(?:[ ./-]\d{2,8}){2,4})(?![\w-])/g,
    begins: /(?<![\w.-])[+(]*(?:\d[\d ()./-]{0,50})?$/,
  },
];

const addresses: readonly Kind[] = [
  { find: /\b\d{1,3}(?:\.\d{1,3}){3}\b/g, begins: /\b\d{1,3}(?:\.\d{0,3}){0,3}$/ },
  {
    find: /(?<![\w:])(?:(?:[\da-f]{1,4}:){3,7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,6}(?::[\da-f]{1,4}){1,6}|(?:[\da-f]{2}-){5}[\da-f]{2})(?![\w:])/gi,
    begins: /(?<![\w:])[\da-f]{1,4}(?:[:-][\da-f:-]{0,40})?$/i,
  },
  {
    find: /\b\d{1,5} (?:[A-Z]\w* ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Square)\b/g,
    begins: /\b\d{1,5}(?: (?:[A-Z]\w* ?){0,4})?$/,
  },
];

const kinds: Readonly<Record<RedactionLevel, readonly Kind[]>> = {
  off: [],
  secrets,
  pii: [...secrets, ...personal],
  strict: [...secrets, ...personal, ...addresses],
};

/** The text with what the level names blanked out. Most have nothing of it, and `search` makes no garbage. */
export const redactText = (text: string, level: RedactionLevel): string =>
  kinds[level].reduce((clean, kind) => (clean.search(kind.find) < 0 ? clean : blanked(clean, kind)), text);

const blanked = (text: string, { find, counts = () => true }: Kind): string =>
  text.replace(find, (match: string, kept: unknown) =>
    counts(match) ? `${typeof kept === "string" ? kept : ""}${blank}` : match,
  );

/**
 * Where the text ends with what may be the beginning of something to be blanked out; `known` where it does
 * not. Never inside something that is complete.
 */
export function unfinishedAt(text: string, level: RedactionLevel, known = text.length): number {
  const at = kinds[level].reduce(
    (first, { begins }) => Math.min(first, begins.exec(text)?.index ?? first),
    known,
  );
  return at === text.length
    ? at
    : kinds[level].reduce((first, { find }) => moveOutside(text, find, first), at);
}

/** The place, or where the match begins in which it lies. */
export function moveOutside(text: string, find: RegExp, at: number): number {
  for (const { index, 0: match } of text.matchAll(find))
    if (index < at && index + match.length > at) return index;
  return at;
}

const contextLength = 32;
const longestPending = 8192;

/**
 * Blanks out what a stream of texts holds, wherever it is split: what may be the beginning of something is
 * held back until it is clear.
 */
export class StreamRedactor {
  readonly #redact: (text: string) => string;
  readonly #unfinishedAt: (text: string) => number;
  /**
   * The end of what was handed on, as it came: a name may tell that what follows is a secret. It never begins
   * in the middle of a word.
   */
  #context = "";
  #pending = "";

  constructor(redact: (text: string) => string, unfinished: (text: string) => number) {
    this.#redact = redact;
    this.#unfinishedAt = unfinished;
  }

  push(text: string): string {
    const whole = this.#context + this.#pending + text;
    if (whole.length - this.#context.length > longestPending) return this.#take(whole, whole.length);
    return this.#take(whole, Math.max(this.#context.length, this.#unfinishedAt(whole)));
  }

  /** What is still held back when the stream has ended. */
  end(): string {
    const whole = this.#context + this.#pending;
    return this.#take(whole, whole.length);
  }

  #take(whole: string, end: number): string {
    const ready = whole.slice(0, end);
    const clean = this.#redact(ready);
    const known = clean === ready ? this.#context.length : this.#redact(this.#context).length;
    this.#context = contextOf(ready);
    this.#pending = whole.slice(end);
    return clean.slice(known);
  }
}

function contextOf(text: string): string {
  if (text.length <= contextLength) return text;
  return text.slice(-contextLength).replace(/^\w/, "_");
}
