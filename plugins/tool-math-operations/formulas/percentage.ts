import { plain } from "../plain.ts";
import { defineFormula, number } from "./formula.ts";

/** Some percent of a value. */
export const percentage = defineFormula({
  name: "percentage",
  parameters: { value: number, percentage: number },
  required: ["value", "percentage"],
  run({ value, percentage: percent }) {
    const part = (value * percent) / 100;
    return {
      result: `${plain(percent)} % of ${plain(value)} = ${plain(part)}`,
      steps: [`${plain(value)} × ${plain(percent)} / 100 = ${plain(part)}`],
    };
  },
});
