/** One row of the table. */
export interface Figure {
  readonly id: string;
  readonly what: string;
  /** Undefined: it could not be measured; `detail` says why. */
  readonly value: number | undefined;
  readonly unit: string;
  /** Undefined: there is none, the figure is for reading. */
  readonly goal?: number;
  /** What the first form of the service had, with its unit, where it was measured. */
  readonly before?: string;
  /** The goal is a least value, not a greatest. */
  readonly atLeast?: boolean;
  /** What it was taken from, in its unit, where it is a difference: it repeats as well as these two do. */
  readonly from?: number | undefined;
  readonly detail?: string;
  /** What the first round had, right after a start. */
  readonly cold?: string;
}

export const missing = (id: string, what: string, why: string): Figure => ({
  id,
  what,
  value: undefined,
  unit: "",
  detail: why,
});

export const join = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("; ");

export function verdictOf({ value, goal, atLeast = false }: Figure): string {
  if (value === undefined) return "not measured";
  if (goal === undefined) return "";
  return (atLeast ? value >= goal : value <= goal) ? "met" : "missed";
}

const decimals = (value: number): string => {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};
const shown = ({ value, unit }: Figure): string =>
  value === undefined ? "–" : `${decimals(value)} ${unit}`.trim();
const detailOf = ({ detail, cold }: Figure): string => join(detail, cold);
const goalOf = ({ goal, atLeast = false, unit }: Figure): string =>
  goal === undefined ? "" : `${atLeast ? "≥" : "≤"} ${goal} ${unit}`.trim();

/** A line a figure: the value, the goal, and whether it is met. */
export function print(figures: readonly Figure[]): void {
  for (const figure of figures) {
    const { id, what } = figure;
    const detail = detailOf(figure);
    const columns = [id.padEnd(4), verdictOf(figure).padEnd(12), shown(figure).padStart(11)];
    const more = detail === "" ? "" : ` (${detail})`;
    process.stdout.write(`${columns.join(" ")}  ${goalOf(figure).padEnd(11)} ${what}${more}\n`);
  }
}

/** Rows of cells, the first of them the head, as a table in Markdown. */
export const markdownTable = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`,
    )
    .join("\n");

/** The figures as a table in Markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.id,
    figure.what,
    figure.before ?? "",
    shown(figure),
    goalOf(figure),
    verdictOf(figure),
    detailOf(figure),
  ]);
  return markdownTable([["Row", "What", "First form", "Now", "Goal", "", "More"], ...rows]);
}
