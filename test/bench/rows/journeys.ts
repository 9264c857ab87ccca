import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../../architecture/tree.ts";
import { stepTimesVariable, type StepTime } from "../../support/journey-steps.ts";
import { hasChromium } from "../../support/page-scene.ts";
import { median } from "../measure.ts";
import { missing, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const rounds = 3;
const mocha = [
  ...["--conditions=source", "--import=tsx", path.join(root, "node_modules/mocha/lib/cli/cli.js")],
  ...["test/page/journey-*.test.ts", "--grep", "by keyboard", "--invert"],
];

/** Runs the journeys, those of both ways by pointer. Throws with what failed. */
async function runJourneys(file: string): Promise<readonly StepTime[]> {
  const env = { ...process.env, [stepTimesVariable]: file };
  await promisify(execFile)(process.execPath, mocha, { cwd: root, env }).catch(
    (error: { stdout?: string }) => {
      throw new Error(`A journey failed: ${(error.stdout ?? "").slice(-2000)}`, { cause: error });
    },
  );
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as StepTime);
}

function figureOf(step: string, times: readonly StepTime[]): Figure {
  const took = times.filter((time) => time.step === step).map((time) => time.took);
  const goal = times.find((time) => time.step === step)?.bound ?? Number.NaN;
  const detail = took.map((time) => time.toFixed(0)).join(", ");
  return { id: "P24", what: step, value: median(took), unit: "ms", goal, detail };
}

/** P24: how long each step of the journeys through the page takes, of the time that it may take. */
export async function journeySteps({ folder }: Setting): Promise<readonly Figure[]> {
  if (!hasChromium()) return [missing("P24", "the journeys", "there is no /usr/bin/chromium")];
  const times: StepTime[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push(...(await runJourneys(path.join(folder, `steps-${round}.jsonl`))));
  const steps = [...new Set(times.map(({ step }) => step))].sort();
  return steps.map((step) => figureOf(step, times));
}
