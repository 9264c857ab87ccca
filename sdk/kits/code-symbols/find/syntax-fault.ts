/** A place in a file that its grammar cannot read. */
export interface SyntaxFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
}
