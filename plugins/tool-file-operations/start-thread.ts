import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker, type Transferable } from "node:worker_threads";

/** A check of a very large project ends with its thread, not with the process. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

const fromSource = import.meta.url.endsWith(".ts");

/** A thread of Node 20 does not inherit the TypeScript loader of a run from sources, so it gets its own. */
function sourceArguments(): readonly string[] {
  const loader = createRequire(import.meta.url)
    .resolve("tsx/esm/api")
    .replace(/\.cjs$/, ".mjs");
  const code = `import { register } from ${JSON.stringify(pathToFileURL(loader).href)}; register();`;
  return ["--conditions=source", "--import", `data:text/javascript,${encodeURIComponent(code)}`];
}

/** Starts `<name>.worker`; whoever starts it ends it. */
export function startThread(name: "syntax" | "types", workerData?: unknown, transferList: readonly Transferable[] = []): Worker {
  const entry = new URL(fromSource ? `./${name}.worker.ts` : `./${name}.worker.js`, import.meta.url);
  const execArgv = fromSource ? [...process.execArgv, ...sourceArguments()] : process.execArgv;
  return new Worker(entry, { workerData, transferList: [...transferList], execArgv, resourceLimits });
}
