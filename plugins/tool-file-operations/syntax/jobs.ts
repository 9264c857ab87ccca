import type { SyntaxFault } from "./find-errors.ts";
import type { Usage } from "./find-usages.ts";

/** What the syntax thread is asked for one file. The language is told by the path. */
export type SyntaxJob =
  | { readonly want: "errors"; readonly path: string; readonly text: string }
  | { readonly want: "usages"; readonly path: string; readonly text: string; readonly symbol: string };

export type SyntaxAnswer = readonly SyntaxFault[] | readonly Usage[];

/** The answer to each kind of job. */
export interface SyntaxAnswers {
  readonly errors: readonly SyntaxFault[];
  readonly usages: readonly Usage[];
}
