import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../architecture/tree.ts";
import type { Found, Outcome } from "./row.ts";

const page = path.join(root, "docs", "reliability.md");
const [opening, closing] = ["<!-- figures -->", "<!-- end of figures -->"];

const number = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString("en-US") : "not measured";
const figure = ({ figure: name, value, goal }: Found): string => `${name}: ${number(value)} (${goal})`;

/** The lines of one row: what it proves, each figure with its goal, and every fault. */
export function print({ id, what, found, tests, faults, seconds, ok }: Outcome): void {
  const lines = [
    `${id.padEnd(4)} ${ok ? "kept  " : "missed"} ${what} (${tests} tests, ${seconds} s)`,
    ...found.map((each) => `       ${each.ok ? "  " : "! "}${figure(each)}`),
    ...faults.map((fault) => `       ! ${fault}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Writes the rows that were run into the table of docs/reliability.md; the others stay. */
export function writeTable(outcomes: readonly Outcome[]): void {
  const text = readFileSync(page, "utf8");
  const [before = "", rest = ""] = text.split(opening);
  const [table = "", after = ""] = rest.split(closing);
  const rows = new Map(table.split("\n").flatMap((line) => rowIn(line)));
  for (const outcome of outcomes) rows.set(outcome.id, lineOf(outcome));
  const lines = [...rows.entries()].toSorted(([a], [b]) => order(a) - order(b)).map(([, line]) => line);
  const head = "| Row | What is proved | Figures (goal) | Tests | |\n|---|---|---|---|---|";
  writeFileSync(page, `${before}${opening}\n\n${head}\n${lines.join("\n")}\n\n${closing}${after}`);
}

const order = (id: string): number => Number(id.slice(1));

function rowIn(line: string): readonly (readonly [string, string])[] {
  const id = /^\| (R\d+) \|/.exec(line)?.[1];
  return id === undefined ? [] : [[id, line]];
}

const lineOf = ({ id, what, found, tests, ok }: Outcome): string =>
  `| ${[id, what, found.map(figure).join("; "), tests, ok ? "kept" : "missed"].join(" | ")} |`;
