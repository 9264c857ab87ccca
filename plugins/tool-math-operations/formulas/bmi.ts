import { defineFormula, format, positive, tooFewValues } from "./formula.ts";

const kilogramsPerPound = 0.45359237;
const metresPerInch = 0.0254;

/** Adults' classes of the World Health Organization, by their upper bound in kg/m². */
const classes = [
  [18.5, "underweight"],
  [25, "normal weight"],
  [30, "overweight"],
  [Infinity, "obese"],
] as const;

/**
 * Body mass index: kilograms divided by the square of metres. Pounds and inches are converted by their exact
 * definitions.
 */
export const bmi = defineFormula({
  name: "bmi",
  parameters: {
    weight_lbs: positive,
    height_inches: positive,
    weight_kg: positive,
    height_m: positive,
  },
  run({
    weight_lbs = NaN,
    height_inches = NaN,
    weight_kg = weight_lbs * kilogramsPerPound,
    height_m = height_inches * metresPerInch,
  }) {
    if (Number.isNaN(weight_kg) || Number.isNaN(height_m)) {
      throw tooFewValues(
        "bmi needs a weight and a height.",
        "Give weight_kg and height_m, or weight_lbs and height_inches.",
      );
    }
    const index = weight_kg / height_m ** 2;
    const [, name] = classes.find(([bound]) => index < bound) ?? classes[3];
    const rounded = index.toFixed(1);
    return {
      result: `BMI ${rounded}, ${name}`,
      steps: [
        format`weight = ${weight_kg} kg, height = ${height_m} m`,
        format`BMI = ${weight_kg} / ${height_m}² = ${index} ≈ ${rounded}`,
        "adults: below 18.5 underweight, below 25 normal weight, below 30 overweight, else obese",
      ],
    };
  },
});
