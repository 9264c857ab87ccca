import { features, meanings, type Feature, type Outcome } from "./feature.ts";

/** A row of the table. */
export interface Row {
  readonly name: string;
  readonly versions: readonly string[];
  /** Why it could not be driven here. */
  readonly notRun?: string;
  readonly outcomes: Partial<Readonly<Record<Feature, Outcome>>>;
  readonly notes: readonly string[];
}

const marks: Readonly<Record<Outcome["verdict"], string>> = { pass: "yes", miss: "MISS", none: "–" };

const cell = (outcome: Outcome | undefined): string => (outcome === undefined ? "" : marks[outcome.verdict]);

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, index) => text.padEnd(widths[index] ?? 0))
    .join("  ")
    .trimEnd();
}

const cellsOf = ({ name, outcomes, notRun }: Row): readonly string[] =>
  notRun === undefined ? [name, ...features.map((feature) => cell(outcomes[feature]))] : [name, "not run"];

/** The misses of a row, as `feature: reason`. */
export const missesOf = ({ outcomes }: Row): readonly string[] =>
  features.flatMap((feature) => {
    const outcome = outcomes[feature];
    return outcome?.verdict === "miss" ? [`${feature}: ${outcome.reason}`] : [];
  });

/** The table, what each feature means, the versions, and each miss with its reason. */
export function reportOf(rows: readonly Row[]): string {
  const table = [["", ...features], ...rows.map(cellsOf)];
  const widths = ["", ...features].map((_, column) =>
    Math.max(
      ...table.filter((line) => line.length > 2 || column === 0).map((line) => line[column]?.length ?? 0),
    ),
  );
  const details = rows.flatMap((row) => [
    `${row.name} (${row.versions.join(", ") || "its requests, replayed"})`,
    ...(row.notRun === undefined ? [] : [`  not run: ${row.notRun}`]),
    ...missesOf(row).map((text) => `  MISS ${text}`),
    ...row.notes.map((text) => `  note ${text}`),
  ]);
  return [
    ...table.map((line) => lineOf(line, widths)),
    "",
    ...features.map((feature) => `${feature.padEnd(10)} ${meanings[feature]}`),
    `${"–".padEnd(10)} the client has no such thing where no person drives it`,
    "",
    ...details,
    "",
  ].join("\n");
}
