import type { WorkerOptions } from "node:worker_threads";

const fromSource = import.meta.url.endsWith(".ts");

/** The file that the thread runs. */
export const workerEntry = new URL(fromSource ? "./sqlite.worker.ts" : "./sqlite.worker.js", import.meta.url);

/** A thread does not inherit the TypeScript loader of a run from sources, so it gets its own. */
export function workerFlags(): Pick<WorkerOptions, "execArgv"> {
  if (!fromSource) return {};
  const code = `import { register } from "node:module"; register("tsx/esm", { parentURL: ${JSON.stringify(import.meta.url)}, data: {} });`;
  return { execArgv: ["--conditions=source", "--import", `data:text/javascript,${encodeURIComponent(code)}`] };
}
