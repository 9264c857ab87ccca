import { findErrors } from "./find-errors.ts";
import { findUsages } from "./find-usages.ts";
import type { Grammars } from "./grammars.ts";
import type { SyntaxAnswer, SyntaxJob } from "./jobs.ts";
import { languageOf } from "./languages.ts";

/** Does one job; a file in no known language has neither errors nor usages. */
export async function answerJob(job: SyntaxJob, grammars: Grammars): Promise<SyntaxAnswer> {
  const language = languageOf(job.path);
  if (language === undefined) return [];
  return grammars.parse(job.text, language, ({ rootNode }): SyntaxAnswer =>
    job.want === "errors" ? findErrors(rootNode) : findUsages(rootNode, job.text, job.symbol, language.rules),
  );
}
