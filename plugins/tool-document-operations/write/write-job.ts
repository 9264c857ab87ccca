import type { Block } from "../markdown/blocks.ts";
import type { Style } from "../style/style.ts";

export const formats = ["docx", "pdf", "txt", "markdown", "pptx", "rtf", "xlsx"] as const;

export type Format = (typeof formats)[number];

export interface WriteJob {
  readonly format: Format;
  readonly title: string;
  readonly author: string;
  readonly description: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Markdown. */
  readonly content: string;
  readonly style: Style;
  /** Font files for what the built-in fonts of PDF lack. */
  readonly fonts: readonly Uint8Array[];
}

export interface WrittenDocument {
  readonly bytes: Uint8Array;
  /** Sentences on what could not be shown. */
  readonly notes: readonly string[];
}

/** What a writer gets. */
export interface Manuscript extends Omit<WriteJob, "format"> {
  /** The content has no heading at its top, so that the title stands there, as the first block. */
  readonly addsTitle: boolean;
  readonly blocks: readonly Block[];
}

export type Writer = (
  manuscript: Manuscript,
) => Promise<Partial<WrittenDocument> & Pick<WrittenDocument, "bytes">>;
