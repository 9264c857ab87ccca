import processes, { type ForkOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import path from "node:path";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";

/** The built file of a thread or a process of a package; undefined for what is none or is not built. */
function builtFile(file: string | URL): URL | undefined {
  const source = file instanceof URL ? fileURLToPath(file) : file;
  if (!/\.(worker|process)\.ts$/.test(source)) return undefined;
  const { dir, name } = path.parse(source);
  const built = path.join(dir, "dist", `${name}.js`);
  return existsSync(built) ? pathToFileURL(built) : undefined;
}

/**
 * From now on, the threads of packages, and the processes that they speak with in Node's messages, run from
 * their built files, without a loader: to load the sources of one takes a second of processor, and many tasks
 * have one of their own.
 */
export function useBuiltThreads(): void {
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const built = builtFile(file);
      super(built ?? file, built === undefined ? options : { ...options, execArgv: [] });
    }
  };
  // Not by its name: that means what is put in its place here.
  const { fork } = processes;
  processes.fork = ((file: string, args: readonly string[] = [], options: ForkOptions = {}) => {
    const built = builtFile(file);
    if (built === undefined) return fork(file, args, options);
    const flags = (options.execArgv ?? process.execArgv).filter((flag) => !process.execArgv.includes(flag));
    return fork(fileURLToPath(built), args, { ...options, execArgv: flags });
  }) as typeof fork;
  syncBuiltinESMExports();
}
