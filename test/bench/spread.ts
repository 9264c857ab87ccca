import { readFileSync } from "node:fs";
import { median } from "./measure.ts";
import { markdownTable, type Figure } from "./report.ts";

/** How far a figure may lie from the middle of its runs. */
const bound = 0.1;

/** What one row had in each run that measured it. */
export interface Spread {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** How far the furthest lies from their median: as a part of it, or of what a difference was taken from. */
  readonly furthest: number;
}

/** How far something is of a figure: as a part of it, or of what a difference was taken from. */
export const partOf = ({ value = 0, from }: Pick<Figure, "value" | "from">, distance: number): number =>
  distance === 0 ? 0 : distance / (from ?? Math.abs(value));

/** Each row of the first run, with its figures in all of them. */
export function spreadOf(runs: readonly (readonly Figure[])[]): readonly Spread[] {
  return (runs[0] ?? []).flatMap(({ id, what, unit }) => {
    const figures = runs.flatMap(
      (run) => run.find((figure) => figure.id === id && figure.what === what) ?? [],
    );
    const values = figures.flatMap(({ value }) => value ?? []);
    if (values.length < runs.length) return [];
    const middle = median(values);
    const furthest = Math.max(...values.map((value) => Math.abs(value - middle)));
    const whole = median(figures.map(({ value = 0, from }) => from ?? Math.abs(value)));
    return [{ id, what, unit, values, furthest: partOf({ value: whole }, furthest) }];
  });
}

export const keepsWithin = ({ furthest }: Spread): boolean => furthest <= bound;

/** The rows as a table in Markdown, the restless ones first. */
export function spreadTable(spreads: readonly Spread[]): string {
  const rows = spreads
    .toSorted((a, b) => b.furthest - a.furthest)
    .map((spread) => [
      spread.id,
      spread.what,
      `${spread.values.map((value) => value.toPrecision(3)).join(", ")} ${spread.unit}`.trim(),
      `${(spread.furthest * 100).toFixed(0)} %`,
    ]);
  return markdownTable([["Row", "What", "Each run", "Furthest from the median"], ...rows]);
}

/** What `--json` wrote in each run. */
export const readRuns = (files: readonly string[]): readonly (readonly Figure[])[] =>
  files.map(
    (file) => (JSON.parse(readFileSync(file, "utf8")) as { readonly figures: readonly Figure[] }).figures,
  );
