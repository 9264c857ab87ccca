import { WorkerPool } from "../index.ts";
import type { SampleTasks } from "./sample-tasks.ts";
import { sampleThread, toError } from "./support.ts";

// Writes an answer, and ends by itself although its worker lives.
const pool = new WorkerPool<SampleTasks>({ start: () => sampleThread(), toError, idleAfter: 600_000 });
process.stdout.write(String(await pool.run("double", 1)));
