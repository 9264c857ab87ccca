import type { IndexedText, TextIndex, TextMatch, TextQuery, TextTerm } from "@pergola/sdk/host";

interface Entry extends Omit<IndexedText, "words"> {
  readonly words: readonly string[];
}

/** A text index in its plainest form, for storages that have none: lists of words in memory. */
export class TextScan implements TextIndex {
  readonly #entries = new Map<string, Entry>();

  async index(texts: readonly IndexedText[]): Promise<void> {
    for (const { words, ...entry } of texts) {
      this.#entries.delete(entry.id);
      this.#entries.set(entry.id, { ...entry, words: words.split(" ") });
    }
  }

  async removeScope(scope: string): Promise<void> {
    for (const entry of this.#entries.values()) if (entry.scope === scope) this.#entries.delete(entry.id);
  }

  async find(query: TextQuery): Promise<readonly TextMatch[]> {
    const newestFirst = [...this.#entries.values()].toReversed().toSorted((a, b) => b.time - a.time);
    const found: TextMatch[] = [];
    for (const entry of newestFirst) {
      if (found.length >= query.limit) break;
      if (isWithin(entry, query) && query.terms.every((term) => holds(entry.words, term)))
        found.push({ id: entry.id, scope: entry.scope });
    }
    return found;
  }
}

function isWithin(entry: Entry, { scope, kind, from = -Infinity, to = Infinity }: TextQuery): boolean {
  const isAsked = (scope ?? entry.scope) === entry.scope && (kind ?? entry.kind) === entry.kind;
  return isAsked && entry.time >= from && entry.time < to;
}

const holds = (words: readonly string[], term: TextTerm): boolean =>
  words.some((_, index) => termStandsAt(words, index, term));

/** Whether a term begins with the word of a number. */
export function termStandsAt(
  words: readonly string[],
  at: number,
  { words: asked, isPrefix }: TextTerm,
): boolean {
  const last = asked.length - 1;
  return asked.every((word, index) => {
    const own = words[at + index];
    return own === word || (index === last && isPrefix === true && own?.startsWith(word) === true);
  });
}
