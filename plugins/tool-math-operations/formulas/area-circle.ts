import { amount, defineFormula, format } from "./formula.ts";

/** π·r², and the circumference 2·π·r. */
export const areaCircle = defineFormula({
  name: "area_circle",
  parameters: { radius: amount },
  required: ["radius"],
  run({ radius }) {
    const [area, circumference] = [Math.PI * radius ** 2, 2 * Math.PI * radius];
    return {
      result: format`area ${area}, circumference ${circumference}`,
      steps: [
        format`area = π × ${radius}² = ${area}`,
        format`circumference = 2 × π × ${radius} = ${circumference}`,
      ],
    };
  },
});
