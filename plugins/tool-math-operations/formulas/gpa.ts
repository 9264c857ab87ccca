import { plain } from "../plain.ts";
import { amount, defineFormula, impossible, list, positive, withDefault } from "./formula.ts";

/** The common four-point scale of schools in the USA, by the least percentage. */
const scale = [
  [90, "A", 4],
  [80, "B", 3],
  [70, "C", 2],
  [60, "D", 1],
  [-Infinity, "F", 0],
] as const;

const grade = (percent: number) => scale.find(([least]) => percent >= least - 1e-9) ?? scale[4];

/**
 * The weighted mean of the scores in percent of the total, its letter, and the weighted mean of the points of
 * each score.
 */
export const gpa = defineFormula({
  name: "gpa",
  aliases: ["grade"],
  parameters: { scores: list(amount), weights: list(amount), total: withDefault(positive, 100) },
  required: ["scores"],
  run({ scores, weights = scores.map(() => 1), total }) {
    if (weights.length !== scores.length)
      throw impossible(`There are ${scores.length} scores and ${weights.length} weights.`);
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    if (whole === 0) throw impossible("The weights must not all be 0.");
    const percents = scores.map((score) => (score / total) * 100);
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / whole;
    const average = mean(percents);
    const points = mean(percents.map((percent) => grade(percent)[2]));
    return {
      result: `average ${plain(average)} %, letter ${grade(average)[1]}, GPA ${points.toFixed(2)}`,
      steps: [
        ...percents.map(
          (percent, at) =>
            `${plain(percent)} %, weight ${plain(weights[at] ?? 0)}: ` +
            `${grade(percent)[1]}, ${grade(percent)[2]} points`,
        ),
        `average = sum of percent × weight / ${plain(whole)} = ${plain(average)} %`,
        `GPA = sum of points × weight / ${plain(whole)} = ${points.toFixed(2)}`,
      ],
    };
  },
});
