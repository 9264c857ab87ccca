// Walks the first paths of a newcomer by the commands of the documentation, on what is committed, in an empty
// home with no key and no network but the registry of npm. Prints each command with its seconds, then the
// paths, and ends with 1 when one fails or takes longer than its goal. Needs git, curl, python3 and 2 GB.
//   npm run newcomer              prints
//   npm run newcomer -- --write   writes the table of docs/getting-started.md, too
import { parseArgs } from "node:util";
import { markdownTable } from "../bench/report.ts";
import { loadedMachineOf, writeTable } from "../support/figures-page.ts";
import { openNewcomer, shown, type Newcomer } from "./newcomer.ts";
import { stepsOf, walks, type Walk } from "./walks.ts";

interface Walked extends Walk {
  readonly commands: number;
  readonly seconds: number;
}

const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function walk(newcomer: Newcomer, path: Walk): Promise<Walked> {
  print(`\n${path.what} (${path.page}, "${path.section}")`);
  let [said, seconds, commands] = ["", 0, 0];
  newcomer.go(path.folder ?? "");
  for (const step of stepsOf(path)) {
    const begun = performance.now();
    if ("command" in step) said = await newcomer.type(step.command);
    else newcomer.save(path.files ?? "", step.file, step.text);
    const took = (performance.now() - begun) / 1000;
    seconds += took;
    commands += "command" in step ? 1 : 0;
    print(`${took.toFixed(1).padStart(7)} s  ${shown(step, path.files)}`);
  }
  if (!path.answer.test(said)) throw new Error(`It should have said ${String(path.answer)}:\n${said}`);
  await newcomer.stop();
  return { ...path, seconds, commands };
}

const goalOf = ({ goal }: Walk): string => (goal === undefined ? "" : `≤ ${goal} s`);
const newcomer = await openNewcomer();
const done: Walked[] = [];
try {
  for (const path of walks) done.push(await walk(newcomer, path));
} finally {
  await newcomer.leave();
}
const rows = done.map((one) => [one.what, String(one.commands), `${one.seconds.toFixed(1)} s`, goalOf(one)]);
const table = markdownTable([["Path", "Commands", "They take", "Goal"], ...rows]);
const machine = loadedMachineOf();
print(`\n${table}\n\n${machine}`);
if (newcomer.refused.size > 0) print(`Not reached, and not needed: ${[...newcomer.refused].join(", ")}`);
if (values.write) writeTable("docs/getting-started.md", "figures", table, machine);
process.exitCode = done.some(({ seconds, goal = Infinity }) => seconds > goal) ? 1 : 0;
