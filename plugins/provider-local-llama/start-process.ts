import { fork, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/** What native code needs to find its libraries and its folders; nothing that holds a key. */
const inherited = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "HOME",
  "SYSTEMROOT",
  "LD_LIBRARY_PATH",
  "CUDA_PATH",
  "VK_ICD_FILENAMES",
];
const fromSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(`./llama.process.${fromSource ? "ts" : "js"}`, import.meta.url));

/** One core is left to everything else: with all of them, a busy machine runs a model ten times slower. */
const threads = Math.max(1, availableParallelism() - 1);

/**
 * Starts the process that reads and runs model files: a file that is out to crash or to take over a program
 * finds one without secrets, and its end is one answer's end. It ends with this process, however that ends.
 */
export function startProcess(): ChildProcess {
  const loaders = process.execArgv.filter(
    (option) => !/^--(inspect|max-old|prof|cpu-prof|heap|test)/.test(option),
  );
  const env = Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return fork(program, [String(threads)], {
    execArgv: fromSource ? loaders : [],
    env,
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}
