import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import path from "node:path";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";

/** The built file of a package's thread; undefined for one that is no source of a package or is not built. */
function builtFile(file: string | URL): URL | undefined {
  if (!(file instanceof URL) || !file.pathname.endsWith(".worker.ts")) return undefined;
  const { dir, name } = path.parse(fileURLToPath(file));
  const built = path.join(dir, "dist", `${name}.js`);
  return existsSync(built) ? pathToFileURL(built) : undefined;
}

/**
 * From now on, the threads of packages run from their built files, without a loader: to load the sources of
 * one takes a second of processor, and many tasks have a thread of their own.
 */
export function useBuiltThreads(): void {
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const built = builtFile(file);
      super(built ?? file, built === undefined ? options : { ...options, execArgv: [] });
    }
  };
  syncBuiltinESMExports();
}
