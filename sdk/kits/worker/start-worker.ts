import { fork, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * The file that runs in a thread or a process of its own, such as `reader.worker` or `llama.process`: the
 * source at the top of the package in a run from sources, the built file otherwise. `from` is the caller's
 * `import.meta.url`.
 */
export function workerUrl(name: string, from: string): URL {
  if (!from.endsWith(".ts")) return new URL(`./${name}.js`, from);
  let folder = new URL("./", from);
  while (!existsSync(new URL("package.json", folder)) && folder.pathname !== "/")
    folder = new URL("../", folder);
  return new URL(`${name}.ts`, folder);
}

const isSource = ({ pathname }: URL): boolean => pathname.endsWith(".ts");

export interface ThreadOptions extends Omit<WorkerOptions, "execArgv" | "resourceLimits"> {
  /** Megabytes of JavaScript values that the thread may hold; one that needs more is ended. */
  readonly memoryLimit?: number;
  /**
   * Most megabytes for new values (V8's young generation): what they grow to in work, a thread at rest keeps.
   * 3 are enough where most values are garbage at once. Default: V8's own bound, 48.
   */
  readonly newValues?: number;
}

/** Starts a thread without the flags of this process, which would only slow it down. */
export function startThread(file: URL, { memoryLimit, newValues, ...options }: ThreadOptions = {}): Worker {
  return new Worker(file, {
    ...options,
    resourceLimits: {
      ...(memoryLimit && { maxOldGenerationSizeMb: memoryLimit }),
      ...(newValues && { maxYoungGenerationSizeMb: newValues }),
    },
    execArgv: isSource(file) ? sourceFlags(file.href) : [],
  });
}

/** A run from sources needs the TypeScript loader in each thread: Node 20 does not hand it on. */
function sourceFlags(from: string): string[] {
  const register = `register("tsx/esm", { parentURL: ${JSON.stringify(from)}, data: {} });`;
  const code = encodeURIComponent(`import { register } from "node:module"; ${register}`);
  return ["--conditions=source", "--import", `data:text/javascript,${code}`];
}

export interface ProcessOptions {
  readonly args?: readonly string[];
  /** Names of the environment variables that the process gets from this one, beside the usual ones. */
  readonly inherit?: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags for Node when the process runs from a built file. */
  readonly builtFlags?: readonly string[];
  /** Flags for Node in any case. */
  readonly flags?: readonly string[];
  /** Makes it the leader of its own process group. */
  readonly detached?: boolean;
  /**
   * `messages`: both sides use Node's messages. `pipe`: descriptor 3 is a stream in both directions
   * (`child.stdio[3]`), for a process whose messages must be bounded before they are read. Default:
   * `messages`.
   */
  readonly channel?: "messages" | "pipe";
}

const inherited = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/** Flags of this process that another one must not share: two debuggers cannot have one port. */
const ownFlag = /^--(inspect|max-old|prof|cpu-prof|heap|test)/;

/** The named variables of this process's environment, beside the usual ones that hold no secret. */
export function inheritedEnvironment(names: readonly string[] = []): Record<string, string> {
  const entries = [...inherited, ...names].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Starts a process with a clean environment: nothing of this process's secrets. Its output comes through
 * `stdout` and `stderr`; messages may hold whatever `structuredClone` copies.
 */
export function startProcess(file: URL, options: ProcessOptions = {}): ChildProcess {
  const { args = [], inherit, builtFlags = [], flags = [], detached = false } = options;
  const loaders = process.execArgv.filter((flag) => !ownFlag.test(flag));
  const execArgv = [...(isSource(file) ? loaders : builtFlags), ...flags];
  const env = { ...inheritedEnvironment(inherit), ...options.env };
  const program = fileURLToPath(file);
  if (options.channel === "pipe")
    return spawn(process.execPath, [...execArgv, program, ...args], {
      env,
      detached,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
  return fork(program, args, {
    execArgv,
    env,
    detached,
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}

/** Calls back with what a process writes, a piece at a time and at most 2,000 characters of each. */
export function onOutput({ stdout, stderr }: ChildProcess, write: (output: string) => void): void {
  for (const stream of [stdout, stderr])
    stream?.on("data", (bytes: Buffer) => write(bytes.toString().slice(0, 2000)));
}
