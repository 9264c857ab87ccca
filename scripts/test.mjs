// Runs all tests, in several processes at the same time.
//   node scripts/test.mjs                              everything
//   node scripts/test.mjs test/wire                    what is in this folder
//   node scripts/test.mjs test/wire/chat.test.ts       these files, with any options of mocha
// What a process says comes when those before it have ended. Files with a failure run once more, alone, when all
// have ended: what fails then has failed; what passes is named as flaky, for it is a fault too, of the test or of
// the service. The closing line is the sum. Ends with 0 when no test has failed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
/** Mocha as one process: its command would start a second one for the options of Node, and wait for it. */
const mocha = [
  "--conditions=source",
  "--import=tsx",
  path.join(root, "node_modules", "mocha", "lib", "cli", "cli.js"),
];
const given = process.argv.slice(2);
const isFolder = (word) => statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
/** Folders whose tests are run as all are run; without them, those of everything. */
const folders = given.length > 0 && given.every(isFolder) ? given.map((word) => path.resolve(word)) : [];
const chosen = folders.length > 0 ? [] : given;
/**
 * Files for one process. Each process loads all sources anew, which costs some five seconds; in one that has
 * run many files, each start of a program takes longer: the system copies the tables of all its memory.
 */
const filesAtOnce = 32;

/** All test files by the room they stand in: a plugin, an example, a folder of `test`. */
function rooms() {
  const found = new Map();
  for (const top of ["test", "sdk", "plugins", "examples"])
    for (const name of readdirSync(path.join(root, top), { recursive: true }).sort()) {
      const file = path.join(top, name);
      if (!file.endsWith(".test.ts") || /[/\\](node_modules|dist)[/\\]/.test(file)) continue;
      if (
        folders.length > 0 &&
        !folders.some((folder) => path.resolve(root, file).startsWith(folder + path.sep))
      )
        continue;
      const room = path.dirname(file);
      found.set(room, [...(found.get(room) ?? []), file]);
    }
  return [...found.values()];
}

/** The rooms, packed into as few processes as hold them; a large room is divided. */
function lanes() {
  const packed = [];
  let open = [];
  for (const files of rooms())
    for (let from = 0; from < files.length; from += filesAtOnce) {
      const part = files.slice(from, from + filesAtOnce);
      if (open.length + part.length > filesAtOnce) packed.push((open = []));
      if (packed.length === 0) packed.push(open);
      open.push(...part);
    }
  return packed;
}

/**
 * In a run of everything, the threads of packages are those that were built: to load the sources of one costs a
 * second.
 */
const environment = { ...process.env, ...(chosen.length === 0 && { PERGOLA_BUILT_THREADS: "1" }) };
if (chosen.length === 0)
  execFileSync(process.execPath, [path.join(root, "scripts", "build.mjs"), "--if-needed"], {
    stdio: "inherit",
  });

/** Most of them wait, for programs and for time to pass. */
const atOnce = availableParallelism() + 1;

const running = new Set();
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    isStopped = true;
    waiting.length = 0;
    running.forEach((child) => child.kill(signal));
  });

/** What one process says is kept until somebody listens. */
class Lane {
  said = "";
  #listen;
  #done;
  /** The exit code. */
  ended = new Promise((resolve) => (this.#done = resolve));

  constructor(words) {
    this.words = words;
  }

  async run() {
    const color = process.stdout.isTTY ? ["--color"] : [];
    const child = spawn(process.execPath, [...mocha, ...color, ...this.words], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        this.said += text;
        this.#listen?.(text);
      });
    const [code] = await once(child, "close");
    running.delete(child);
    this.#done(code ?? 1);
  }

  listen(to) {
    to(this.said);
    this.#listen = to;
  }
}

const write = (text) => process.stdout.write(text);
const runs = (chosen.length > 0 ? [chosen] : lanes()).map((words) => new Lane(words));
const waiting = [...runs];
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.run();
};
for (let count = 0; count < atOnce; count += 1) void work();

/** The numbers of a run: tests, and answers compared. */
function sumOf({ said }) {
  const [passed = 0, failed = 0, skipped = 0] =
    /(\d+) passed, (\d+) failed, (\d+) skipped/.exec(said)?.slice(1).map(Number) ?? [];
  return { passed, failed, skipped, answers: Number(/(\d+) answers compared/.exec(said)?.[1] ?? 0) };
}
const failuresOf = ({ said }) => said.slice(said.lastIndexOf("  1) "));

/**
 * What to run once more, and what of the first run counts all the same: the files with a failure, or everything
 * where a failure belongs to no file.
 */
function againOf({ said, words }) {
  const line = /To run again, where (\d+) passed, (\d+) skipped: (.+)/.exec(said);
  if (line === null) return { words, kept: { passed: 0, failed: 0, skipped: 0, answers: 0 } };
  const first = sumOf({ said });
  const kept = { ...first, passed: first.passed - line[1], failed: 0, skipped: first.skipped - line[2] };
  return { words: line[3].split(" "), kept };
}

const firsts = [];
for (const run of runs) {
  run.listen(write);
  firsts.push({ run, code: await run.ended });
}
let code = 0;
let failures = "";
let flaky = "";
const counted = [];
for (const first of firsts) {
  if (first.code === 0 || chosen.length > 0 || isStopped) {
    code ||= first.code;
    counted.push(sumOf(first.run));
    continue;
  }
  const { words, kept } = againOf(first.run);
  write("\nOnce more, alone:\n");
  const run = new Lane(words);
  void run.run();
  run.listen(write);
  const again = await run.ended;
  if (again === 0) flaky += failuresOf(first.run);
  else failures += failuresOf(run);
  code ||= again;
  counted.push(kept, sumOf(run));
}
const total = (name) => counted.reduce((sum, count) => sum + count[name], 0);
if (flaky !== "") write(`\nFlaky: failed beside others, passed alone:\n${flaky}`);
if (failures !== "") write(`\nAgain, what failed:\n${failures}`);
if (total("answers") > 0) write(`\n${total("answers")} answers compared with the OpenAPI document`);
const endings = [flaky === "" ? "" : "; some are flaky", code === 0 ? "" : `; not all is well (${code})`];
write(
  `\n${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped${endings.join("")}\n`,
);
process.exitCode = code;
