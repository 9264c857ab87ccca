import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadedMachineOf, machineOf, writeTable } from "../support/figures-page.ts";
import { now, sleep } from "./client.ts";
import { type Visit, visitsOf } from "./measure.ts";
import { comparePeers } from "./peers/compare.ts";
import { peersTable, type Comparison } from "./peers/report.ts";
import { cores, placeItself, type Program } from "./processes.ts";
import { missing, print, tableOf, type Figure } from "./report.ts";
import { rows, type Row } from "./rows.ts";
import { openSetting, type Setting } from "./setting.ts";
import { keepsWithin, partOf, readRuns, spreadOf, spreadTable } from "./spread.ts";

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    spread: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

/** The own table of the one row that is named. */
const ownTable =
  wanted.length === 1 ? rows.find(({ ids }) => ids.includes(wanted[0] ?? ""))?.table : undefined;

function checkWanted(): void {
  const known = new Set(rows.flatMap(({ ids }) => ids));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(", ")}.`);
  if (options.write && ownTable === undefined && (options.quick || wanted.length > 0))
    throw new Error("--write writes a whole table: leave out --quick and the names of rows.");
}

const chosen = ({ ids, quick = false }: Row): boolean => {
  if (options.peers) return false;
  if (wanted.length > 0) return ids.some((id) => wanted.includes(id));
  return quick || !options.quick;
};

/** A row that fails is a row of the table, not the end of the run. */
async function figuresOf(row: Row, setting: Setting, visit: Visit): Promise<readonly Figure[]> {
  if (row.apart !== undefined && wanted.length === 0)
    return [missing(row.ids.join(", "), "only where it is named", row.apart)];
  placeItself(row.within === true ? cores.all : cores.rest);
  try {
    return [await row.run(setting, visit)].flat();
  } catch (error) {
    return [missing(row.ids.join(", "), "failed", error instanceof Error ? error.message : String(error))];
  }
}

interface Found {
  readonly figures: readonly Figure[];
  readonly peers: readonly Comparison[];
}

/** What is known of a row so far. */
interface State {
  readonly figures: readonly Figure[];
  /** How often it was measured. */
  readonly count: number;
  /** How far its last visit moved a figure of it. */
  readonly moved: number;
  /** Milliseconds of its last visit. */
  readonly taken: number;
}

/** How far a visit moved the figures of a row, at most. */
const moveOf = (before: readonly Figure[], after: readonly Figure[]): number =>
  Math.max(
    ...after.map((figure, at) => {
      const { value: was = 0 } = before[at] ?? {};
      return partOf(figure, Math.abs((figure.value ?? 0) - was));
    }),
  );

/** Milliseconds after which a program that goes on has closed what was idle for too long. */
const awakening = 500;
/** Until one has seen that its clients have gone: the model would stream on to a program that is paused. */
const farewell = 400;

/** A setting whose further programs run only in the visits of one row: kept ones would disturb the others. */
class OwnPrograms {
  readonly #programs: Program[] = [];
  readonly setting: Setting;

  constructor(setting: Setting) {
    const start: Setting["start"] = async (...args) => {
      const program = await setting.start(...args);
      this.#programs.push(program);
      return program;
    };
    this.setting = { ...setting, start };
  }

  async goOn(): Promise<void> {
    if (this.#signal("SIGCONT")) await sleep(awakening);
  }

  async pause(): Promise<void> {
    if (this.#signal(0)) await sleep(farewell);
    this.#signal("SIGSTOP");
  }

  /** Whether any of them runs still. */
  #signal(name: NodeJS.Signals | 0): boolean {
    return this.#programs.filter(({ process }) => process.kill(name)).length > 0;
  }
}

/** Milliseconds after the start of a whole run in which no further visit may end. */
const wholeRun = 700_000;
const isWhole = !options.quick && wanted.length === 0;
/** A row whose last visit moved no figure further has settled. */
const settled = 0.02;

/**
 * The row that comes next. All are visited once, then those with several visits anew, one after the other:
 * what neighbours take from a machine comes and goes within seconds, so a row is measured all along the run.
 * What is left of its time goes to the row that its last visit moved most.
 */
function nextRow(wantedRows: readonly Row[], states: ReadonlyMap<Row, State>, left: number): Row | undefined {
  const countOf = (row: Row): number => states.get(row)?.count ?? 0;
  const fits = (row: Row): boolean => (states.get(row)?.taken ?? -Infinity) < left;
  const spread = wantedRows.filter(({ visits = 1 }) => visits > 1 && !options.quick);
  const [due] = wantedRows
    .filter((row) => countOf(row) < (spread.includes(row) ? (row.visits ?? 1) : 1) && fits(row))
    .toSorted((a, b) => countOf(a) - countOf(b));
  if (due !== undefined || !isWhole) return due;
  const movedBy = (row: Row): number => states.get(row)?.moved ?? 0;
  const [most] = spread
    .filter((row) => movedBy(row) > settled && fits(row))
    .toSorted((a, b) => movedBy(b) - movedBy(a));
  return most;
}

async function measureAll(): Promise<Found> {
  const wantedRows = rows.filter(chosen);
  const visits = new Map(wantedRows.map((row) => [row, visitsOf(options.quick)]));
  const states = new Map<Row, State>();
  const setting = await openSetting();
  const programs = new Map(wantedRows.map((row) => [row, new OwnPrograms(setting)]));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void setting.end().finally(() => process.exit(1)));
  const begun = now();
  const measureRow = async (row: Row): Promise<void> => {
    const from = now();
    const before = states.get(row)?.figures ?? [];
    const own = programs.get(row)!;
    await own.goOn();
    const figures = await figuresOf(row, own.setting, visits.get(row)!());
    await own.pause();
    const taken = now() - from;
    const count = (states.get(row)?.count ?? 0) + 1;
    states.set(row, { figures, count, moved: moveOf(before, figures), taken });
    process.stderr.write(`     ${row.ids.join(", ")}: ${(taken / 1000).toFixed(0)} s\n`);
  };
  try {
    const left = (): number => (isWhole ? wholeRun - (now() - begun) : Infinity);
    const next = (): Row | undefined => nextRow(wantedRows, states, left());
    for (let row = next(); row !== undefined; row = next()) await measureRow(row);
    const figures = wantedRows.flatMap((row) => states.get(row)?.figures ?? []);
    print(figures);
    placeItself(cores.rest);
    return { figures, peers: options.peers ? await comparePeers(setting, wanted) : [] };
  } finally {
    await setting.end();
  }
}

/** The own table of a row is made by hand, whatever else the machine does: it says so. */
function writeFigures(figures: readonly Figure[]): void {
  const where = ownTable === undefined ? machineOf() : loadedMachineOf();
  writeTable("docs/performance.md", ownTable ?? "figures", tableOf(figures), where);
}

async function bench(): Promise<void> {
  checkWanted();
  const { figures, peers } = await measureAll();
  const machine = machineOf();
  process.stdout.write(`${machine}\n`);
  if (options.write && options.peers) writeTable("docs/performance.md", "peers", peersTable(peers));
  if (options.write && !options.peers) writeFigures(figures);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, figures, peers }, null, 2)}\n`);
  process.exitCode = figures.some(({ what }) => what === "failed") ? 1 : 0;
}

/** How well the figures of several runs agree, from the files that `--json` wrote. */
function showSpread(): void {
  if (wanted.length < 2) throw new Error("--spread takes the files that --json wrote, two of them or more.");
  const spreads = spreadOf(readRuns(wanted));
  const table = spreadTable(spreads);
  const kept = spreads.filter(keepsWithin).length;
  process.stdout.write(`${table}\n${kept} of ${spreads.length} figures repeat within 10 %\n`);
  if (options.write) writeTable("docs/performance.md", "spread", table);
}

await (options.spread ? showSpread() : bench());
