import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts the thread `<name>.worker` of the package at whose top the calling file stands (or its built
 * bundle): the source file in a run from sources, the built one otherwise. `from` is the caller's
 * `import.meta.url`. Whoever starts a thread ends it.
 */
export function startThread(
  name: string,
  from: string,
  options: Omit<WorkerOptions, "execArgv"> = {},
): Worker {
  const fromSource = from.endsWith(".ts");
  const entry = new URL(`./${name}.worker.${fromSource ? "ts" : "js"}`, from);
  return new Worker(entry, { ...options, execArgv: fromSource ? sourceFlags(from) : [] });
}

/**
 * The flags of the process would only slow a thread down, but a run from sources needs the TypeScript loader
 * in each: Node 20 does not hand it on.
 */
function sourceFlags(from: string): string[] {
  const code = `import { register } from "node:module"; register("tsx/esm", { parentURL: ${JSON.stringify(from)}, data: {} });`;
  return ["--conditions=source", "--import", `data:text/javascript,${encodeURIComponent(code)}`];
}
