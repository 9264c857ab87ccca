import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Locator } from "playwright-core";

/** What a person sees when a step is done: something that is visible, or a condition that holds. */
export type Sign = Locator | (() => boolean | Promise<boolean>);

/** How long a step of a journey took, in milliseconds, and how long it may take. */
export interface StepTime {
  readonly step: string;
  readonly bound: number;
  readonly took: number;
}

/** The environment variable with the file that gets a line of JSON for each step. */
export const stepTimesVariable = "PERGOLA_STEP_TIMES";

/** A sign that does not come within this many milliseconds is a failure. */
const patience = 20_000;

export const gone =
  (what: Locator): Sign =>
  async () =>
    (await what.count()) === 0;

/** Looks often: a locator's own `waitFor` looks twice a second after a while, which is no measure. */
export async function untilSeen(sign: Sign): Promise<void> {
  const isSeen = typeof sign === "function" ? sign : () => sign.isVisible();
  const end = performance.now() + patience;
  while (!(await isSeen())) {
    if (performance.now() > end) throw new Error(`This did not come: ${String(sign)}`);
    await setTimeout(5);
  }
}

/** Writes down how long a step took, where somebody measures. */
export function noteStep(time: StepTime): void {
  const file = process.env[stepTimesVariable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(time)}\n`);
}

/**
 * A step of a journey: what begins it, and the signs that it is done, which are waited for. The bound, in
 * milliseconds from its beginning, is no matter of the test: `npm run bench -- P24` compares it.
 */
export async function within(
  step: string,
  bound: number,
  begin: () => unknown,
  ...signs: readonly Sign[]
): Promise<void> {
  const begun = performance.now();
  await begin();
  for (const sign of signs) await untilSeen(sign);
  noteStep({ step, bound, took: performance.now() - begun });
}
