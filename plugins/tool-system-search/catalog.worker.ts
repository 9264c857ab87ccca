import { workerData } from "node:worker_threads";
import { serve } from "@pergola/kit-worker/serve";
import { SearchIndex } from "./index/search-index.ts";
import type { IndexSettings, IndexTasks } from "./service/messages.ts";

const index = new SearchIndex(workerData as IndexSettings);

serve<IndexTasks>({ find: (request) => index.answer(request) }, () => index.close());
