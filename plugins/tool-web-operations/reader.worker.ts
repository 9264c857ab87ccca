import { serve } from "@pergola/kit-worker/serve";
import { readHandlers } from "./reading/read-handlers.ts";
import type { ReadTasks } from "./reading/read-tasks.ts";

serve<ReadTasks>(readHandlers);
