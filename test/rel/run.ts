// Runs the rows of reliability, prints each with its figures, and ends with 1 when one is missed.
//   npm run rel                  every row but the nightly ones
//   npm run rel -- R1 R4         only these
//   npm run rel -- --json FILE   writes the outcomes there as well
//   npm run rel -- --write       writes the table of docs/reliability.md
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Measured } from "../support/figures.ts";
import { print, writeTable } from "./report.ts";
import type { Outcome, Row } from "./row.ts";
import { rows, summary } from "./rows.ts";
import { judge, runRow } from "./run-row.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" }, write: { type: "boolean", default: false } },
});
const known = [...rows, summary].map(({ id }) => id);
const unknown = positionals.filter((id) => !known.includes(id));
if (unknown.length > 0)
  throw new Error(`There is no row ${unknown.join(", ")}. Rows are ${known.join(", ")}.`);

const isWanted = ({ id, nightly = false }: Row): boolean =>
  positionals.length > 0 ? positionals.includes(id) : !nightly;
const wanted = rows.filter(isWanted);
const outcomes: Outcome[] = [];
const measured: Measured[] = [];

async function runOne(row: Row): Promise<void> {
  const done = await runRow(row);
  outcomes.push(done.outcome);
  measured.push(...done.measured);
  print(done.outcome);
}

/** Those that measure time come first, one by one, while the machine is at rest; then two rows at a time. */
const begun = performance.now();
for (const row of wanted) if (row.alone === true) await runOne(row);
const queue = wanted.filter(({ alone }) => alone !== true);
const lane = async (): Promise<void> => {
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) await runOne(row);
};
await Promise.all([lane(), lane()]);

if (isWanted(summary)) {
  const found = (summary.bounds ?? []).map((bound) => judge(bound, measured));
  const whole = wanted.length === rows.filter(({ nightly }) => nightly !== true).length;
  const faults = whole ? [] : ["it sums up all rows, so run them all"];
  const tests = outcomes.reduce((sum, outcome) => sum + outcome.tests, 0);
  const ok = faults.length === 0 && found.every((each) => each.ok) && outcomes.every((each) => each.ok);
  outcomes.push({ ...summary, found, faults, tests, seconds: 0, ok });
  print(outcomes.at(-1) as Outcome);
}

const missed = outcomes.filter(({ ok }) => !ok).map(({ id }) => id);
process.stdout.write(
  `${outcomes.length - missed.length} of ${outcomes.length} rows kept in ${Math.round((performance.now() - begun) / 1000)} s` +
    `${missed.length === 0 ? "" : `; missed: ${missed.join(", ")}`}\n`,
);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ node: process.version, rows: outcomes }, undefined, 2)}\n`);
if (values.write) writeTable(outcomes);
process.exitCode = missed.length === 0 ? 0 : 1;
