import type { WorkerOptions } from "node:worker_threads";

const fromSource = import.meta.url.endsWith(".ts");

/** The file that the thread runs. */
export const workerEntry = new URL(fromSource ? "./sqlite.worker.ts" : "./sqlite.worker.js", import.meta.url);

/** Without the flags of the process, which would only slow its start; a run from sources needs the TypeScript loader in each thread. */
export function workerFlags(): Pick<WorkerOptions, "execArgv"> {
  if (!fromSource) return { execArgv: [] };
  const code = `import { register } from "node:module"; register("tsx/esm", { parentURL: ${JSON.stringify(import.meta.url)}, data: {} });`;
  return { execArgv: ["--conditions=source", "--import", `data:text/javascript,${encodeURIComponent(code)}`] };
}
