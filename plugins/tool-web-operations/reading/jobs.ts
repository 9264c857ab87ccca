/** What a page says, for reading. */
export interface Article {
  readonly title: string;
  /** Markdown; plain text when `isPlain`. */
  readonly text: string;
  /** The page was too large or too deep to be understood: all its words, with menus and the like. */
  readonly isPlain: boolean;
  readonly author: string;
  /** As the page says it, mostly ISO 8601. */
  readonly published: string;
}

/**
 * Of elements that match: their text, or an attribute after `@`, as in `a.title@href`; of the first match
 * only.
 */
export interface Rows {
  /** CSS selector of the elements that are one row each. */
  readonly row: string;
  readonly fields: Readonly<Record<string, string>>;
}

export type Job =
  | { readonly want: "article"; readonly html: string; readonly url: string }
  | { readonly want: "plain"; readonly html: string }
  /** The texts of the elements that match each selector. */
  | { readonly want: "texts"; readonly html: string; readonly selectors: readonly string[] }
  | ({ readonly want: "rows"; readonly html: string } & Rows);

export interface Answers {
  readonly article: Article;
  readonly plain: Article;
  readonly texts: readonly (readonly string[])[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** `invalid_value` when the job itself was wrong. */
export interface Refusal {
  readonly reason: string;
  readonly code: "invalid_value" | "generic_error";
}

export type Reply = { readonly answer: Answers[Job["want"]] } | Refusal;
