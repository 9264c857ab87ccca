import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

/** Seconds after which a process has run enough of the code for its compiled form to be worth keeping. */
const longEnough = 5;

function readCompiled(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The file that holds the code of the core and of Pergola's plugins, which the build makes. */
export class OneFile {
  readonly #file: string;
  readonly #script: Script;
  readonly #compiledFile: string;
  /** Whether V8 took the compiled form that was there. */
  readonly isCompiled: boolean;

  /**
   * Reads it, and its compiled form for this version of V8. That lies beside it: whoever may write there may
   * change the code too.
   */
  constructor(file: string) {
    this.#file = file;
    const source = readFileSync(file, "latin1");
    // The build writes the digest of the rest into the first line: V8 itself compares no more than lengths.
    const [digest = ""] = /[0-9a-f]{16,}/.exec(source.slice(0, 100)) ?? [];
    this.#compiledFile = `${file}.${digest}.${cachedDataVersionTag().toString(16)}.bin`;
    const cachedData = readCompiled(this.#compiledFile);
    this.#script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    this.isCompiled = cachedData !== undefined && this.#script.cachedDataRejected !== true;
  }

  /** Runs it as a CommonJS module, whose function the build has written around it. */
  run(): void {
    const module = { exports: {} };
    const run = this.#script.runInThisContext() as (...args: unknown[]) => void;
    const load = (url: string): Promise<unknown> => import(url);
    run(module.exports, createRequire(this.#file), module, this.#file, path.dirname(this.#file), load);
  }

  /** Writes the compiled form of all code that has run by now. Throws what the system throws. */
  keepCompiled(): void {
    // V8 takes it back only with the flags it was made with: the service sets this one, whose default is 0.
    setFlagsFromString("--heap-growing-percent=0");
    const own = `${this.#compiledFile}.${process.pid}`;
    writeFileSync(own, this.#script.createCachedData());
    renameSync(own, this.#compiledFile);
  }
}

/**
 * Runs the one file: reading and compiling some hundred files would take most of a start. A process that runs
 * for some time leaves a compiled form behind if there was none for its Node.
 */
export function runOneFile(file: string): void {
  const one = new OneFile(file);
  if (!one.isCompiled) process.once("exit", () => keepAtExit(one));
  one.run();
}

function keepAtExit(one: OneFile): void {
  if (process.uptime() < longEnough) return;
  try {
    one.keepCompiled();
  } catch {
    // The installation belongs to another account: each start compiles.
  }
}
