import type { TextKind } from "../source/document-kinds.ts";
import type { StyleFacts } from "../style/style.ts";

export interface ReadJob {
  readonly kind: TextKind;
  readonly bytes: Uint8Array;
  /** Of HTML and plain text, as the server said. */
  readonly charset?: string | undefined;
}

/** What a document holds. */
export interface DocumentText {
  /** Markdown, as far as the format tells headings, lists and tables. */
  readonly text: string;
  /** What it turned out to be. */
  readonly kind: TextKind;
  readonly style: StyleFacts;
  readonly facts: DocumentFacts;
  /** Sentences on what was left out. */
  readonly notes: readonly string[];
}

export interface DocumentFacts {
  readonly title?: string;
  readonly author?: string;
  readonly page_count?: number;
  readonly slide_count?: number;
  readonly sheet_names?: readonly string[];
}

/** What a reader gives; the rest has defaults. */
export type Reading = Pick<DocumentText, "text"> & Partial<DocumentText>;
