import { answerJob } from "./syntax/answer-job.ts";
import { Grammars } from "./syntax/grammars.ts";
import type { SyntaxJob } from "./syntax/jobs.ts";
import { serve } from "./thread/serve.ts";

const grammars = new Grammars();

serve((job: SyntaxJob) => answerJob(job, grammars));
