import { createRequire } from "node:module";
import { workerData } from "node:worker_threads";
import { serve } from "@pergola/kit-worker/serve";
import { checkTypes } from "./checker/check-types.ts";
import type { CheckerData, CheckTasks, TypeScript } from "./checker/messages.ts";
import { WaitingFiles } from "./checker/waiting-files.ts";

const data = workerData as CheckerData;
const compiler = createRequire(data.compiler)(data.compiler) as TypeScript;
const files = new WaitingFiles(data);

serve<CheckTasks>({ check: (paths) => checkTypes(compiler, files, data.root, paths) });
