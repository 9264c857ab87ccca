// Runs all tests, in several processes at the same time.
//   node scripts/test.mjs                              everything
//   node scripts/test.mjs test/wire/chat.test.ts       these files, with any options of mocha
// What a process says comes when those before it have ended. The closing line is the sum. Ends with 0 when all
// tests have passed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
const chosen = process.argv.slice(2);
/**
 * Files for one process. In one that has run many, each start of a program takes long: the system copies the
 * tables of all its memory.
 */
const filesAtOnce = 16;

/** All test files by the room they stand in: a plugin, an example, a folder of `test`. */
function rooms() {
  const found = new Map();
  for (const top of ["test", "sdk", "plugins", "examples"])
    for (const name of readdirSync(path.join(root, top), { recursive: true }).sort()) {
      const file = path.join(top, name);
      if (!file.endsWith(".test.ts") || /[/\\](node_modules|dist)[/\\]/.test(file)) continue;
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

/** Most of them wait, for programs and for time to pass. */
const atOnce = availableParallelism() + 1;

const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
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
    const child = spawn(process.execPath, [mocha, ...color, ...this.words], {
      cwd: root,
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

const counts = [0, 0, 0];
let answers = 0;
let code = 0;
let failures = "";
for (const run of runs) {
  run.listen(write);
  const ended = await run.ended;
  code ||= ended;
  if (ended !== 0 && runs.length > 1) failures += run.said.slice(run.said.lastIndexOf("  1) "));
  const sum = /(\d+) passed, (\d+) failed, (\d+) skipped/.exec(run.said)?.slice(1) ?? [];
  answers += Number(/(\d+) answers compared/.exec(run.said)?.[1] ?? 0);
  sum.forEach((count, index) => (counts[index] += Number(count)));
}
const [passed, failed, skipped] = counts;
if (failures !== "") write(`\nAgain, what failed:\n${failures}`);
if (answers > 0) write(`\n${answers} answers compared with the OpenAPI document`);
write(
  `\n${passed} passed, ${failed} failed, ${skipped} skipped${code === 0 ? "" : `; not all is well (${code})`}\n`,
);
process.exitCode = code;
