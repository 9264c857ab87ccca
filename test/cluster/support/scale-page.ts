import type { Throughput } from "../throughput.ts";

/** Seconds between two turns of a person, and of how many people with an account one is there. */
const [pause, oneOf] = [30, 20];

const number = (value: number): string => new Intl.NumberFormat("en-US").format(Number(value.toPrecision(3)));

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

/** The table of what was measured, in Markdown. */
export function throughputTable(found: readonly Throughput[], crowds: readonly number[]): readonly string[] {
  const columns = [
    "Hosts",
    "Storage",
    "Turns a second",
    "ms a turn",
    "CPU ms a turn, hosts",
    "CPU ms a turn, database",
    ...crowds.map((people) => `p95 ms with ${people} people`),
  ];
  return [line(columns), `|${columns.map(() => "---|").join("")}`, ...found.map(rowOf)];
}

const rowOf = (found: Throughput): string =>
  line([
    found.hosts,
    found.storage === "sqlite" ? "SQLite" : "PostgreSQL",
    Math.round(found.turnsPerSecond),
    found.turn.toFixed(1),
    found.cpuOfHosts.toFixed(1),
    found.storage === "sqlite" ? "–" : found.cpuOfDatabase.toFixed(1),
    ...found.crowds.map(Math.round),
  ]);

/** What follows from it for people and accounts. */
function arithmeticTable(found: readonly Throughput[]): readonly string[] {
  const [sqlite, lone, ...more] = found;
  const shared = [lone!, ...more];
  const cpu = shared.reduce((sum, { cpuOfDatabase }) => sum + cpuOfDatabase, 0) / shared.length;
  const row = (name: string, turns: number): string =>
    line([name, Math.round(turns), number(turns * pause), number(turns * pause * oneOf)]);
  return [
    line(["", "Turns a second", "People at the same time", "Accounts"]).replace("|  |", "| |"),
    "|---|---|---|---|",
    row("one host with SQLite", sqlite!.turnsPerSecond),
    row("one host with PostgreSQL, its core its own", lone!.turnsPerSecond),
    row(`one core of the database, ${cpu.toFixed(1)} ms a turn`, 1000 / cpu),
  ];
}

/** Puts rows in the place of the table that has this head. Throws where there is none. */
function withTable(page: string, rows: readonly string[]): string {
  const lines = page.split("\n");
  const from = lines.indexOf(rows[0]!);
  if (from < 0) throw new Error(`The page has no table with the head ${rows[0]!}`);
  const length = lines.slice(from).findIndex((each) => each === "");
  return lines.toSpliced(from, length, ...rows).join("\n");
}

/**
 * docs/scale.md with these figures: the table, the date and the first table of the arithmetic. Sentences that
 * rest on figures stay as they are.
 */
export function withFigures(page: string, { found, crowds, date }: Measured): string {
  const dated = page.replace(/(?<=^Measured on )\d{4}-\d\d-\d\d/m, date);
  return withTable(withTable(dated, throughputTable(found, crowds)), arithmeticTable(found));
}

interface Measured {
  /** SQLite's first, then PostgreSQL's with one host and more. */
  readonly found: readonly Throughput[];
  readonly crowds: readonly number[];
  /** As in 2026-01-31. */
  readonly date: string;
}
