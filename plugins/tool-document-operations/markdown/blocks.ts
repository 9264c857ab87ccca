export interface Look {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** The address behind it. */
  readonly link?: string;
}

/** A stretch of text in one look. */
export interface Run extends Look {
  readonly text: string;
}

/** How deep a block lies in quotes. */
interface Quoted {
  readonly quote: number;
}

export interface Heading extends Quoted {
  readonly type: "heading";
  /** 1 to 6. */
  readonly level: number;
  readonly runs: readonly Run[];
}

export interface Paragraph extends Quoted {
  readonly type: "paragraph";
  readonly runs: readonly Run[];
}

/** An item of a list. Its further paragraphs follow as items without a marker. */
export interface Item extends Quoted {
  readonly type: "item";
  /** 0 for the outermost list. */
  readonly depth: number;
  /** What stands before it: `•`, `3.`, `☑`; empty for a further paragraph. */
  readonly marker: string;
  readonly runs: readonly Run[];
}

/** The cells of a table's row. */
export type Row = readonly (readonly Run[])[];

export interface Table extends Quoted {
  readonly type: "table";
  /** The first row is the head. */
  readonly rows: readonly Row[];
}

export interface Code extends Quoted {
  readonly type: "code";
  readonly text: string;
}

export interface Rule extends Quoted {
  readonly type: "rule";
}

/** Markdown flattened: what a page shows from top to bottom. */
export type Block = Heading | Paragraph | Item | Table | Code | Rule;

export const plainText = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");
