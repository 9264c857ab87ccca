// Runs all tests: those of the whole and those of the plugins at the same time, each in a process of its own,
// for most of them wait.
//   node scripts/test.mjs                              everything
//   node scripts/test.mjs test/wire/chat.test.ts       these files, with any options of mocha
// The second process's words come when the first has ended. The closing line is the sum. Ends with 0 when all
// tests have passed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
const chosen = process.argv.slice(2);
const halves = [
  ["test/**/*.test.ts", "sdk/**/*.test.ts"],
  ["plugins/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
];

const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => running.forEach((child) => child.kill(signal)));

/** Begins mocha; what it writes is kept until somebody listens. */
function begin(words) {
  const color = process.stdout.isTTY ? ["--color"] : [];
  const child = spawn(process.execPath, [mocha, ...color, ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const run = { said: "", listen: undefined, ended: once(child, "close") };
  running.add(child);
  void run.ended.then(() => running.delete(child));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      run.said += text;
      run.listen?.(text);
    });
  return run;
}

const write = (text) => process.stdout.write(text);
const runs = (chosen.length > 0 ? [chosen] : halves).map(begin);
const counts = [0, 0, 0];
let answers = 0;
let code = 0;
for (const run of runs) {
  write(run.said);
  run.listen = write;
  const [ended] = await run.ended;
  code ||= ended ?? 1;
  const sum = /(\d+) passed, (\d+) failed, (\d+) skipped/.exec(run.said)?.slice(1) ?? [];
  answers += Number(/(\d+) answers compared/.exec(run.said)?.[1] ?? 0);
  sum.forEach((count, index) => (counts[index] += Number(count)));
}
const [passed, failed, skipped] = counts;
if (answers > 0) write(`\n${answers} answers compared with the OpenAPI document`);
write(
  `\n${passed} passed, ${failed} failed, ${skipped} skipped${code === 0 ? "" : `; not all is well (${code})`}\n`,
);
process.exitCode = code;
