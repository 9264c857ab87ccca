import { serve } from "../serve.ts";
import { sampleHandlers } from "./sample-handlers.ts";
import type { SampleTasks } from "./sample-tasks.ts";

serve<SampleTasks>(sampleHandlers);
