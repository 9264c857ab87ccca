import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";

/** What it takes to run Node where nothing else of the system is. */
export interface NodeRuntime {
  /** The real path of the program. */
  readonly program: string;
  /** The shared libraries that it loads, or the folders that have them. */
  readonly libraries: readonly string[];
  /** Bytes of private memory that a process holds, or reserves, before it runs anything. */
  readonly dataBytes: number;
}

/** Where systems keep libraries; for a loader that does not say which it needs. */
const libraryFolders = ["/usr/lib", "/usr/lib64", "/lib", "/lib64"];
/** More than any version holds at its start; for a system that does not say. */
const anyDataBytes = 640 * 2 ** 20;

let known: Promise<NodeRuntime> | undefined;

/** The Node that runs this process. Measured once. */
export function nodeRuntime(): Promise<NodeRuntime> {
  known ??= measure(realpathSync(process.execPath));
  return known;
}

async function measure(program: string): Promise<NodeRuntime> {
  const [libraries, dataBytes] = await Promise.all([librariesOf(program), dataBytesOf(program)]);
  return { program, libraries, dataBytes };
}

/** What a program writes; empty when it fails. */
const output = (program: string, args: readonly string[], env: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { env, timeout: 10_000 }, (error, stdout) => resolve(error ? "" : stdout));
  });

/** The loader lists what it would load when it is asked to; that of musl runs the program instead. */
async function librariesOf(program: string): Promise<readonly string[]> {
  const listed = await output(program, ["--version"], { LD_TRACE_LOADED_OBJECTS: "1" });
  const libraries = [...listed.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, file = ""]) => file);
  return libraries.length > 0 ? libraries : libraryFolders;
}

async function dataBytesOf(program: string): Promise<number> {
  const script = 'process.stdout.write(require("node:fs").readFileSync("/proc/self/status"))';
  const kilobytes = /^VmData:\s+(\d+) kB$/m.exec(await output(program, ["-e", script], {}))?.[1];
  return kilobytes === undefined ? anyDataBytes : Number(kilobytes) * 1024;
}
