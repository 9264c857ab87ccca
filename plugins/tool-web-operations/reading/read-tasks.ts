/** What a page says, for reading. */
export interface Article {
  readonly title: string;
  /** Markdown; plain text when `isPlain`. */
  readonly text: string;
  /** The page was too large or too deep to be understood: all its words, with menus and the like. */
  readonly isPlain: boolean;
  readonly author?: string;
  /** As the page says it, mostly ISO 8601. */
  readonly published?: string;
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

/** What a reading thread does with a page. */
export interface ReadTasks {
  readonly article: {
    readonly ask: { readonly html: string; readonly url: string };
    readonly answer: Article;
  };
  readonly plain: { readonly ask: string; readonly answer: Article };
  /** The texts of the elements that match each selector. */
  readonly texts: {
    readonly ask: { readonly html: string; readonly selectors: readonly string[] };
    readonly answer: readonly (readonly string[])[];
  };
  readonly rows: {
    readonly ask: Rows & { readonly html: string };
    readonly answer: readonly Readonly<Record<string, string>>[];
  };
}
