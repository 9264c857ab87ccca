import { serve } from "@pergola/kit-worker/serve";
import type { FactsTasks } from "./facts/facts-thread.ts";
import { readFacts } from "./facts/read-facts.ts";
import { lowerPriority } from "./lower-priority.ts";

lowerPriority();
serve<FactsTasks>({ read: readFacts });
