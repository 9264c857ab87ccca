/** A text of a text index. One with the same id is replaced. */
export interface IndexedText {
  readonly id: string;
  /** What it belongs to: texts are removed by it. */
  readonly scope: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly kind: string;
  /** Its words in their order, with spaces between them. Each is of letters and digits, in lower case. */
  readonly words: string;
}

/** Words that stand side by side; at least one. */
export interface TextTerm {
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly isPrefix?: boolean;
}

/** Asks for texts that hold all of some terms, of which there is at least one. */
export interface TextQuery {
  readonly terms: readonly TextTerm[];
  readonly scope?: string | undefined;
  readonly kind?: string | undefined;
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  readonly to?: number | undefined;
  readonly limit: number;
}

/** A text that was found. */
export interface TextMatch {
  readonly id: string;
  readonly scope: string;
}

/** Tells which texts hold words, phrases and beginnings of words. It need not keep the texts. */
export interface TextIndex {
  index(texts: readonly IndexedText[]): Promise<void>;
  removeScope(scope: string): Promise<void>;
  /** The newest first; of equal ones those first that were indexed last. */
  find(query: TextQuery): Promise<readonly TextMatch[]>;
}
