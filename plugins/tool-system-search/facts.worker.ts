import { parentPort } from "node:worker_threads";
import { lowerPriority } from "./lower-priority.ts";
import { readFacts } from "./facts/read-facts.ts";
import type { FactsRequest } from "./facts/facts.ts";

lowerPriority();
parentPort?.on(
  "message",
  (request: FactsRequest) => void readFacts(request).then((answer) => parentPort?.postMessage(answer)),
);
