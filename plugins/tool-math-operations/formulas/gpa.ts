import { amount, defineFormula, format, invalidValue, list, positive, sum, withDefault } from "./formula.ts";

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
  parameters: {
    scores: list(amount),
    weights: list(amount),
    total: withDefault(positive, 100),
  },
  required: ["scores"],
  run({ scores, weights = scores.map(() => 1), total }) {
    if (weights.length !== scores.length)
      throw invalidValue(`There are ${scores.length} scores and ${weights.length} weights.`);
    const whole = sum(weights);
    if (whole === 0) throw invalidValue("The weights must not all be 0.");
    const percents = scores.map((score) => (score / total) * 100);
    const mean = (values: readonly number[]): number =>
      sum(values.map((value, at) => value * (weights[at] ?? 0))) / whole;
    const average = mean(percents);
    const points = mean(percents.map((percent) => grade(percent)[2]));
    return {
      result: format`average ${average} %, letter ${grade(average)[1]}, GPA ${points.toFixed(2)}`,
      steps: [
        ...percents.map((percent, at) => {
          const [, letter, letterPoints] = grade(percent);
          return format`${percent} %, weight ${weights[at] ?? 0}: ${letter}, ${letterPoints} points`;
        }),
        format`average = sum of percent × weight / ${whole} = ${average} %`,
        format`GPA = sum of points × weight / ${whole} = ${points.toFixed(2)}`,
      ],
    };
  },
});
