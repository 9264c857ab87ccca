import { defineFormula, format, number } from "./formula.ts";

/** Some percent of a value. */
export const percentage = defineFormula({
  name: "percentage",
  parameters: { value: number, percentage: number },
  required: ["value", "percentage"],
  run({ value, percentage: percent }) {
    const part = (value * percent) / 100;
    return {
      result: format`${percent} % of ${value} = ${part}`,
      steps: [format`${value} × ${percent} / 100 = ${part}`],
    };
  },
});
