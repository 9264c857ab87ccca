export interface Figure {
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: number;
  /** The goal is a least value, not a greatest. */
  readonly atLeast?: boolean;
  readonly detail?: string;
}

/** One line a figure: the value, the goal, and whether it is met. */
export function print(figures: readonly Figure[]): void {
  for (const { id, what, value, unit, goal, detail = "", atLeast = false } of figures) {
    const verdict = (atLeast ? value >= goal : value <= goal) ? "met   " : "missed";
    process.stdout.write(
      `${id.padEnd(4)} ${verdict} ${value.toFixed(2).padStart(8)} ${unit.padEnd(12)} goal ${atLeast ? "≥" : "≤"} ${String(goal).padEnd(5)} ${what}${detail === "" ? "" : ` (${detail})`}\n`,
    );
  }
}
