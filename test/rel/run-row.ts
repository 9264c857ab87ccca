import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../architecture/tree.ts";
import type { Measured } from "../support/figures.ts";
import type { Bound, Found, Outcome, Row } from "./row.ts";

interface Told {
  readonly fullTitle: string;
  readonly err?: { readonly message?: string };
}

/** What mocha's reporter `json` writes. */
interface Report {
  readonly passes: readonly Told[];
  readonly failures: readonly Told[];
  readonly pending: readonly Told[];
}

const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
const nothing: Report = { passes: [], failures: [], pending: [] };

/** Runs the tests of a row in a process of their own, and judges their figures. */
export async function runRow(
  row: Row,
): Promise<{ readonly outcome: Outcome; readonly measured: Measured[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-rel-"));
  try {
    const begun = performance.now();
    const { code, said } = await runTests(row, folder);
    const report = reportIn(path.join(folder, "report.json"));
    const measured = [...figuresIn(path.join(folder, "figures")), ...countedIn(row, report)];
    const faults = faultsOf(row, report, { code, said });
    const found = (row.bounds ?? []).map((bound) => judge(bound, measured));
    const outcome: Outcome = {
      id: row.id,
      what: row.what,
      found,
      tests: report.passes.length,
      faults,
      seconds: Math.round((performance.now() - begun) / 1000),
      ok: faults.length === 0 && found.every(({ ok }) => ok),
    };
    return { outcome, measured };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests({ files, sizes = {} }: Row, folder: string) {
  const chosen = Object.entries(sizes).map(([name, size]) => [name, String(size)] as const);
  const reporter = ["--reporter", "json", "--reporter-option", `output=${path.join(folder, "report.json")}`];
  const child = spawn(process.execPath, [mocha, ...reporter, ...files], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...Object.fromEntries(chosen),
      PERGOLA_FIGURES: path.join(folder, "figures"),
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-20_000)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said };
}

const reportIn = (file: string): Report =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : nothing;

function figuresIn(file: string): readonly Measured[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Measured);
}

const countedIn = ({ counted = {} }: Row, { passes }: Report): readonly Measured[] =>
  Object.entries(counted).map(([name, title]) => {
    const fits = passes.map(({ fullTitle }) => title.exec(fullTitle)).filter((found) => found !== null);
    return { name, value: fits.reduce((sum, [, number = "1"]) => sum + Number(number), 0) };
  });

function faultsOf(
  { files, mayMiss = {} }: Row,
  { passes, failures, pending }: Report,
  { code, said }: { readonly code: number | null; readonly said: string },
): readonly string[] {
  const isExcused = ({ fullTitle }: Told) => Object.keys(mayMiss).some((part) => fullTitle.includes(part));
  const failed = failures.map(({ fullTitle, err }) => `failed: ${fullTitle}: ${err?.message ?? ""}`);
  const skipped = pending.filter((test) => !isExcused(test)).map(({ fullTitle }) => `skipped: ${fullTitle}`);
  const faults = [...failed, ...skipped];
  if (files.length > 0 && passes.length === 0) faults.push("no test has passed");
  if (code !== 0 && failed.length === 0) faults.push(`the tests ended with ${code}: ${said.slice(-2000)}`);
  return faults;
}

/** The value of a figure, and whether it keeps its bound; a figure that nobody measured keeps none. */
export function judge({ figure, atLeast, atMost, largest }: Bound, measured: readonly Measured[]): Found {
  const values = measured.filter(({ name }) => name === figure).map(({ value }) => value);
  const sum = values.reduce((total, value) => total + value, 0);
  const value = largest === true ? Math.max(...values) : sum;
  const isEnough = atLeast === undefined || value >= atLeast;
  const isLittle = atMost === undefined || value <= atMost;
  return {
    figure,
    value: Math.round(value * 10) / 10,
    goal: [atLeast !== undefined && `≥ ${atLeast}`, atMost !== undefined && `≤ ${atMost}`]
      .filter(Boolean)
      .join(", "),
    ok: values.length > 0 && isEnough && isLittle,
  };
}
