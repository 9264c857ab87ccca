import { appendFileSync } from "node:fs";

/** A number that a test measured or counted; `npm run rel` judges it. */
export interface Measured {
  readonly name: string;
  readonly value: number;
}

/** Adds to what `npm run rel` reads; nothing happens where nobody reads it. */
export function addFigure(name: string, value = 1): void {
  const file = process.env["PERGOLA_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, value } satisfies Measured)}\n`);
}

/** How much of something a test does: what the environment says, or the usual size. */
export const sizeFor = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);
