import { Worker, type Transferable } from "node:worker_threads";

const fromSource = import.meta.url.endsWith(".ts");

/** A thread of Node 20 does not inherit the TypeScript loader of a run from sources, so it gets its own. */
function loaderArguments(): readonly string[] {
  if (!fromSource) return [];
  const code = `import { register } from ${JSON.stringify(import.meta.resolve("tsx/esm/api"))}; register();`;
  return ["--import", `data:text/javascript,${encodeURIComponent(code)}`];
}

/** Starts `<name>.worker`; whoever starts it ends it. */
export function startThread(name: "syntax" | "types", workerData?: unknown, transferList: readonly Transferable[] = []): Worker {
  const entry = new URL(fromSource ? `./${name}.worker.ts` : `./${name}.worker.js`, import.meta.url);
  return new Worker(entry, { workerData, transferList: [...transferList], execArgv: [...process.execArgv, ...loaderArguments()] });
}
