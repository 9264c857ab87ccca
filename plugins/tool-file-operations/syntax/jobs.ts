import type { SyntaxFault } from "./find-errors.ts";
import type { Usage } from "./find-usages.ts";

/** What the syntax thread is asked for one file. The language is told by the path. */
export type SyntaxJob =
  | { readonly want: "errors"; readonly path: string; readonly text: string }
  | { readonly want: "usages"; readonly path: string; readonly text: string; readonly symbol: string };

type JobThat<W> = Extract<SyntaxJob, { readonly want: W }>;

/** What the syntax thread does. */
export interface SyntaxTasks {
  readonly errors: { readonly ask: JobThat<"errors">; readonly answer: readonly SyntaxFault[] };
  readonly usages: { readonly ask: JobThat<"usages">; readonly answer: readonly Usage[] };
}
