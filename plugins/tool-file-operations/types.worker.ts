import { createRequire } from "node:module";
import { workerData } from "node:worker_threads";
import { checkTypes } from "./checker/check-types.ts";
import type { CheckerData, CheckJob } from "./checker/messages.ts";
import type { TypeScript } from "./checker/typescript-api.ts";
import { WaitingFiles } from "./checker/waiting-files.ts";
import { serve } from "./thread/serve.ts";

const data = workerData as CheckerData;
const compiler = createRequire(data.compiler)(data.compiler) as TypeScript;
const files = new WaitingFiles(data);

serve(async (job: CheckJob) => checkTypes(compiler, files, data.root, job));
